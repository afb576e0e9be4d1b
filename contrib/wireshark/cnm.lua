-- SPDX-License-Identifier: GPL-2.0
-- Congestion notification messages (CNM) and CN-TAGs of QCN, IEEE 802.1Qau, in Wireshark and tshark, which have no dissector for
-- them: its own shows PAUSE and PFC. Install it as docs/wire.md has it for onramp.lua.
--
-- A frame that the kernel's parser (kernel/algo/l2_wire.h) refuses is shown as refused, with the parser's reason.
local CNM, CN_TAG, BYTES, MOST = 0x22e7, 0x22e9, 24, 64

local tag = Proto("cn_tag", "Congestion notification tag")
local rpid = ProtoField.uint16("cn_tag.rpid", "Reaction point")
local kind = ProtoField.uint16("cn_tag.type", "Type", base.HEX)
tag.fields = { rpid, kind }

local cnm = Proto("cnm", "Congestion notification message")
local f = {
	version = ProtoField.uint8("cnm.version", "Version", base.DEC, nil, 0xf0),
	feedback = ProtoField.uint8("cnm.feedback", "Quantized feedback", base.DEC, nil, 0x3f),
	cpid = ProtoField.bytes("cnm.cpid", "Congestion point"),
	offset = ProtoField.int16("cnm.q_offset", "Queue, less its set point, 64 bytes"),
	delta = ProtoField.int16("cnm.q_delta", "Queue, less that at the last sample, 64 bytes"),
	priority = ProtoField.uint8("cnm.priority", "Priority", base.DEC, nil, 0xe0),
	da = ProtoField.ether("cnm.da", "Destination"),
	length = ProtoField.uint16("cnm.length", "Bytes of the MSDU"),
	msdu = ProtoField.bytes("cnm.msdu", "MSDU"),
}
cnm.fields = f

local refused, list = {}, {}
for _, why in ipairs({ "short", "version", "feedback", "msdu" }) do
	refused[why] = ProtoExpert.new("cnm.refused." .. why, "refused: " .. why, expert.group.MALFORMED, expert.severity.ERROR)
	list[#list + 1] = refused[why]
end
cnm.experts = list

-- The first thing that is wrong; or nil.
local function fault(bytes)
	if bytes:len() < BYTES then
		return "short"
	elseif bytes(0, 1):uint() >= 0x10 then
		return "version"
	elseif bit.band(bytes(1, 1):uint(), 0x3f) == 0 then
		return "feedback"
	elseif bytes(22, 2):uint() > MOST or bytes(22, 2):uint() > bytes:len() - BYTES then
		return "msdu"
	end
end

function cnm.dissector(bytes, pinfo, root)
	local tree, why = root:add(cnm, bytes()), fault(bytes)
	pinfo.cols.protocol = "CNM"
	if why then
		tree:add_proto_expert_info(refused[why])
		pinfo.cols.info = "refused: " .. why
		return bytes:len()
	end
	local length = bytes(22, 2):uint()
	tree:add(f.version, bytes(0, 1))
	tree:add(f.feedback, bytes(1, 1))
	tree:add(f.cpid, bytes(2, 8))
	tree:add(f.offset, bytes(10, 2))
	tree:add(f.delta, bytes(12, 2))
	tree:add(f.priority, bytes(14, 1))
	tree:add(f.da, bytes(16, 6))
	tree:add(f.length, bytes(22, 2))
	if length > 0 then
		tree:add(f.msdu, bytes(BYTES, length))
	end
	pinfo.cols.info = string.format("feedback %d, queue %+d bytes", bit.band(bytes(1, 1):uint(), 0x3f), bytes(10, 2):int() * 64)
	return bytes:len()
end

local types = DissectorTable.get("ethertype")

function tag.dissector(bytes, pinfo, root)
	if bytes:len() < 4 then
		return 0
	end
	local tree = root:add(tag, bytes(0, 4))
	tree:add(rpid, bytes(0, 2))
	tree:add(kind, bytes(2, 2))
	return 4 + types:try(bytes(2, 2):uint(), bytes(4):tvb(), pinfo, root)
end

types:add(CNM, cnm)
types:add(CN_TAG, tag)
