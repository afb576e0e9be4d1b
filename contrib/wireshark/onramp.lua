-- SPDX-License-Identifier: GPL-2.0
-- OR-ACKs of On-Ramp, version 1, in Wireshark and tshark; docs/wire.md has the format and how to install this.
--
-- A datagram is recognised by its port alone. If the kernel's parser (kernel/algo/onramp_wire.h) refuses it, it is shown as
-- refused, with the parser's reason and the fields that precede the error. If the capture truncated it, only the captured
-- bytes are checked.

-- Wireshark provides `bit` with every version of Lua; bit32 exists in one version only.
local PORT = 31901
local HEADER, ENTRY, TRAILER, MOST = 16, 20, 12, 64
local MAC, NO_CLOCK = 0x01, 0x02
local CLOCKS = { [1] = "system's", [2] = "published" }
local STAMPS = { [1] = "tracepoint", [2] = "driver", [3] = "hardware" }

local orack = Proto("orack", "On-Ramp OR-ACK")

local f = {
	version = ProtoField.uint8("orack.version", "Version"),
	flags = ProtoField.uint8("orack.flags", "Flags", base.HEX),
	mac = ProtoField.bool("orack.flags.mac", "Trailer follows", 8, nil, MAC),
	no_clock = ProtoField.bool("orack.flags.no_clock", "Timestamps are not valid", 8, nil, NO_CLOCK),
	count = ProtoField.uint8("orack.count", "Entries"),
	clock = ProtoField.uint8("orack.clock", "Clock", base.DEC, CLOCKS),
	epoch = ProtoField.uint32("orack.epoch", "Clock epoch"),
	error = ProtoField.uint32("orack.error", "Clock error, ns"),
	serial = ProtoField.uint32("orack.serial", "Serial number"),
	entry = ProtoField.none("orack.entry", "Entry"),
	sport = ProtoField.uint16("orack.entry.sport", "Source port"),
	dport = ProtoField.uint16("orack.entry.dport", "Destination port"),
	seq = ProtoField.uint32("orack.entry.seq", "Sequence number"),
	len = ProtoField.uint16("orack.entry.len", "Payload, bytes"),
	proto = ProtoField.uint8("orack.entry.proto", "Protocol"),
	stamp = ProtoField.uint8("orack.entry.stamp", "Stamp", base.DEC, STAMPS),
	time = ProtoField.uint64("orack.entry.time", "Arrival, ns"),
	key = ProtoField.uint8("orack.mac.key", "Key"),
	reserved = ProtoField.bytes("orack.mac.reserved", "Reserved"),
	tag = ProtoField.uint64("orack.mac.tag", "Tag", base.HEX),
}
orack.fields = f

-- The reasons are those of docs/wire.md.
local refused = {}
for _, why in ipairs({ "short", "version", "flags", "count", "clock", "epoch", "length", "reserved", "no payload", "protocol",
	"stamp", "time" }) do
	local name = string.gsub(why, " ", "_")
	refused[why] = ProtoExpert.new("orack.refused." .. name, "refused: " .. why, expert.group.MALFORMED, expert.severity.ERROR)
end
local cut = ProtoExpert.new("orack.cut", "cut short by the capture", expert.group.UNDECODED, expert.severity.NOTE)
local list = { cut }
for _, why in pairs(refused) do
	list[#list + 1] = why
end
orack.experts = list

local function announced(count, has_mac)
	return HEADER + count * ENTRY + (has_mac and TRAILER or 0)
end

-- The first thing that is wrong with a datagram of so many bytes, of which some may not have been captured; or nil.
local function fault(bytes, size)
	if size < HEADER then
		return "short"
	elseif bytes:len() < HEADER then
		return nil
	end
	local flags, count, clock = bytes(1, 1):uint(), bytes(2, 1):uint(), bytes(3, 1):uint()
	local has_mac = bit.band(flags, MAC) ~= 0
	if bytes(0, 1):uint() ~= 1 then
		return "version"
	elseif bit.band(flags, bit.bnot(bit.bor(MAC, NO_CLOCK))) ~= 0 then
		return "flags"
	elseif count < 1 or count > MOST then
		return "count"
	elseif not CLOCKS[clock] then
		return "clock"
	elseif (bytes(4, 4):uint() ~= 0) ~= (clock == 2) then
		return "epoch"
	elseif size ~= announced(count, has_mac) then
		return "length"
	elseif has_mac and bytes:len() >= announced(count, false) + 4 and bytes(announced(count, false) + 1, 3):uint() ~= 0 then
		return "reserved"
	end
end

-- The same of an entry.
local function entry_fault(bytes)
	if bytes(8, 2):uint() == 0 then
		return "no payload"
	elseif bytes(10, 1):uint() ~= 6 then
		return "protocol"
	elseif not STAMPS[bytes(11, 1):uint()] then
		return "stamp"
	elseif bytes(12, 1):uint() >= 0x80 then
		return "time"
	end
end

local function show_header(bytes, tree)
	tree:add(f.version, bytes(0, 1))
	local flags = tree:add(f.flags, bytes(1, 1))
	flags:add(f.mac, bytes(1, 1))
	flags:add(f.no_clock, bytes(1, 1))
	tree:add(f.count, bytes(2, 1))
	tree:add(f.clock, bytes(3, 1))
	tree:add(f.epoch, bytes(4, 4))
	tree:add(f.error, bytes(8, 4))
	tree:add(f.serial, bytes(12, 4))
end

local function show_entry(bytes, tree, judged)
	local entry = tree:add(f.entry, bytes)
	entry:set_text(string.format("%u > %u: %u bytes from %u", bytes(0, 2):uint(), bytes(2, 2):uint(), bytes(8, 2):uint(),
		bytes(4, 4):uint()))
	entry:add(f.sport, bytes(0, 2))
	entry:add(f.dport, bytes(2, 2))
	entry:add(f.seq, bytes(4, 4))
	entry:add(f.len, bytes(8, 2))
	entry:add(f.proto, bytes(10, 1))
	entry:add(f.stamp, bytes(11, 1))
	entry:add(f.time, bytes(12, 8))
	local why = judged and entry_fault(bytes)
	if why then
		entry:add_proto_expert_info(refused[why])
	end
end

local function show_trailer(bytes, tree)
	tree:add(f.key, bytes(0, 1))
	tree:add(f.reserved, bytes(1, 3))
	tree:add(f.tag, bytes(4, 8))
end

-- In one line, as far as it is known.
local function summary(bytes)
	if bytes:len() < HEADER then
		return "?"
	end
	local count, has_mac = bytes(2, 1):uint(), bit.band(bytes(1, 1):uint(), MAC) ~= 0
	local key = announced(count, false)
	return string.format("%u %s, serial %u%s", count, count == 1 and "packet" or "packets", bytes(12, 4):uint(),
		has_mac and key < bytes:len() and string.format(", key %u", bytes(key, 1):uint()) or "")
end

-- Entries of a datagram that is refused are shown and not checked: the kernel ignores them.
function orack.dissector(buffer, pinfo, root)
	local bytes, size = buffer, buffer:reported_len()
	local why = fault(bytes, size)
	local tree = root:add(orack, buffer())
	pinfo.cols.protocol = "OR-ACK"
	if why then
		tree:add_proto_expert_info(refused[why])
		pinfo.cols.info = "refused: " .. why
	elseif bytes:len() < size then
		tree:add_proto_expert_info(cut)
		pinfo.cols.info = summary(bytes) .. ", cut short by the capture"
	else
		pinfo.cols.info = summary(bytes)
	end
	if bytes:len() < HEADER then
		return bytes:len()
	end
	show_header(bytes, tree)
	local count, at = bytes(2, 1):uint(), HEADER
	for _ = 1, count do
		if at + ENTRY > bytes:len() then
			break
		end
		show_entry(bytes(at, ENTRY), tree, not why)
		at = at + ENTRY
	end
	at = announced(count, false)
	if bit.band(bytes(1, 1):uint(), MAC) ~= 0 and bytes:len() >= at + TRAILER then
		show_trailer(bytes(at, TRAILER), tree)
	end
	return bytes:len()
end

DissectorTable.get("udp.port"):add(PORT, orack)
