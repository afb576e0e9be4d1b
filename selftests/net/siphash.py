# SPDX-License-Identifier: GPL-2.0
"""SipHash-2-4, from the paper of Aumasson and Bernstein, and the trailer of an OR-ACK, from docs/wire.md."""

MASK = (1 << 64) - 1


def rotated(word, bits):
    """To the left."""
    return (word << bits | word >> 64 - bits) & MASK


def scramble(v, rounds):
    """SipRound, so many times."""
    for _ in range(rounds):
        v[0], v[2] = v[0] + v[1] & MASK, v[2] + v[3] & MASK
        v[1], v[3] = rotated(v[1], 13) ^ v[0], rotated(v[3], 16) ^ v[2]
        v[2], v[0] = v[2] + v[1] & MASK, rotated(v[0], 32) + v[3] & MASK
        v[1], v[3] = rotated(v[1], 17) ^ v[2], rotated(v[3], 21) ^ v[0]
        v[2] = rotated(v[2], 32)


def siphash(key, data):
    """SipHash of some bytes, with a key of 16, as a number."""
    one, two = (int.from_bytes(key[at:at + 8], "little") for at in (0, 8))
    v = [one ^ 0x736f6d6570736575, two ^ 0x646f72616e646f6d, one ^ 0x6c7967656e657261, two ^ 0x7465646279746573]
    data += bytes(-(len(data) + 1) % 8) + bytes([len(data) & 255])
    for at in range(0, len(data), 8):
        word = int.from_bytes(data[at:at + 8], "little")
        v[3] ^= word
        scramble(v, 2)
        v[0] ^= word
    v[2] ^= 255
    scramble(v, 4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def trailer(key, number, source, target, datagram):
    """Tag of header and entries; addresses of 4 or 16 bytes."""
    mapped = b"".join(address if len(address) == 16 else bytes(10) + b"\xff\xff" + address for address in (source, target))
    datagram += bytes([number, 0, 0, 0])
    return bytes([number, 0, 0, 0]) + siphash(key, mapped + datagram).to_bytes(8, "big")


assert siphash(bytes(range(16)), bytes(range(15))) == 0xa129ca6149be45e5    # the paper's appendix A
