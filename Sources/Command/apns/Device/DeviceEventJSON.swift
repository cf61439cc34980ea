import APNSModel
import DeviceSimulator
import Foundation
import PayloadJSON
import PushDispatch
import SelectiveSync

/// What happens on a device, as one JSON object a line for scripts.
enum DeviceEventJSON {
    static func ready(_ token: DeviceToken, _ topic: Topic) -> String {
        line([("event", .string("ready")), ("token", .string(token.hex)), ("topic", .string(topic.value))])
    }

    private enum Value {
        case string(String)
        case number(Double)
        case raw([UInt8])
        case bool(Bool)
        case integer(Int)
        case strings([String])
    }

    private static func line(_ members: [(String, Value)]) -> String {
        var bytes = [UInt8(ascii: "{")]
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONWriter.append(member.0, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            switch member.1 {
            case .string(let string): JSONWriter.append(string, to: &bytes)
            case .number(let number): bytes += DurationText.decimal(number, places: 1).utf8
            case .raw(let raw): bytes += raw
            case .bool(let bool): bytes += "\(bool)".utf8
            case .integer(let integer): bytes += "\(integer)".utf8
            case .strings(let strings):
                bytes += ("[" + strings.map { JSONWriter.quoted($0) }.joined(separator: ",") + "]").utf8
            }
        }
        return String(decoding: bytes + [UInt8(ascii: "}")], as: UTF8.self)
    }

    /// Nil for an event that no line shows.
    static func line(_ event: SimulatedDevice.Event) -> String? {
        switch event {
        case .connected(let state): return line([("event", .string("connected"))] + members(state))
        case .disconnected(let why): return line([("event", .string("disconnected")), ("why", .string(why))])
        case .gap: return line([("event", .string("gap"))])
        case .moved(let token): return line([("event", .string("token")), ("token", .string(token.hex))])
        case .received(let push):
            let ids = [
                ("apns-id", push.apnsID), ("apns-request-id", push.requestID), ("apns-channel-id", push.channelID),
                ("apns-topic", push.topic), ("apns-collapse-id", push.collapseID),
            ]
            return line(
                [
                    ("event", .string("received")), ("apns-unique-id", .string(push.uniqueID)),
                    ("apns-push-type", .string(push.pushType ?? "")),
                ] + ids.compactMap { name, text in text.map { (name, .string($0)) } } + [
                    ("payload", .raw(push.payload.isEmpty ? Array("null".utf8) : push.payload))
                ])
        case .forwarding(.forwarded(let count, let duration), let push):
            return line([
                ("event", .string("handed-on")), ("apns-unique-id", .string(push.uniqueID)),
                ("attempts", .integer(count)),
                ("milliseconds", .number(duration.inMilliseconds)),
            ])
        case .forwarding(.failed(let count, let why, let next), let push):
            let isAgain = if case .again = next { true } else { false }
            return line([
                ("event", .string("not-handed-on")), ("apns-unique-id", .string(push.uniqueID)),
                ("attempts", .integer(count)), ("why", .string(why)), ("again", .bool(isAgain)),
            ])
        case .dispatch(.started(let object, let records)):
            return line([
                ("event", .string("dispatched")), ("object", .string(object)),
                ("records", .strings(records.map(\.description))),
            ])
        case .dispatch(let event):
            return DeviceEventText.text(of: event).map {
                line([("event", .string("dispatch")), ("what", .string($0))])
            }
        case .sync(.merged(let object, let counts)):
            return line([
                ("event", .string("merged")), ("object", .string(object)),
                ("counts", .string(DeviceEventText.words(counts))),
            ])
        case .sync(let event):
            return line([("event", .string("sync")), ("what", .string(DeviceEventText.text(of: event)))])
        case .stored(let object, let record):
            return line([
                ("event", .string("stored")), ("object", .string(object)),
                ("record", .raw(JSONValue.object(record.fields).compactBytes)),
            ])
        case .finished(let result, let push, let duration):
            return line([
                ("event", .string("result")), ("apns-unique-id", .string(push.uniqueID)),
                ("result", .string("\(result)")),
                ("milliseconds", .number(duration.inMilliseconds)),
            ])
        }
    }

    private static func members(_ state: DeviceState?) -> [(String, Value)] {
        guard let state else { return [] }
        let flags = [
            ("online", state.isOnline), ("low-power", state.isInLowPower),
            ("low-data", state.isInLowData), ("background-refresh", state.allowsBackgroundRefresh),
        ]
        return flags.compactMap { name, flag in flag.map { (name, .bool($0)) } }
            + (state.appState.map { [("app-state", .string($0))] } ?? []) + [("channels", .strings(state.channels))]
    }
}
