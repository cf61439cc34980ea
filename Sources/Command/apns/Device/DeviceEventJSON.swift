import APNSModel
import DeviceSimulator
import Foundation
import PayloadJSON
import PushDispatch
import SelectiveSync

/// What happens on a device, as one JSON object a line for scripts.
enum DeviceEventJSON {
    static func ready(_ token: DeviceToken, _ topic: Topic) -> String {
        line([("event", .text("ready")), ("token", .text(token.hex)), ("topic", .text(topic.value))])
    }

    private enum Value {
        case text(String)
        case number(Double)
        case raw([UInt8])
        case flag(Bool)
        case whole(Int)
        case texts([String])
    }

    private static func line(_ members: [(String, Value)]) -> String {
        var bytes = [UInt8(ascii: "{")]
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONWriter.append(member.0, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            switch member.1 {
            case .text(let text): JSONWriter.append(text, to: &bytes)
            case .number(let number): bytes += DurationText.decimal(number, places: 1).utf8
            case .raw(let raw): bytes += raw
            case .flag(let flag): bytes += "\(flag)".utf8
            case .whole(let whole): bytes += "\(whole)".utf8
            case .texts(let texts):
                bytes += ("[" + texts.map { JSONWriter.quoted($0) }.joined(separator: ",") + "]").utf8
            }
        }
        return String(decoding: bytes + [UInt8(ascii: "}")], as: UTF8.self)
    }

    /// Nil for an event that no line shows.
    static func line(_ event: SimulatedDevice.Event) -> String? {
        switch event {
        case .connected(let state): return line([("event", .text("connected"))] + members(state))
        case .disconnected(let why): return line([("event", .text("disconnected")), ("why", .text(why))])
        case .gap: return line([("event", .text("gap"))])
        case .moved(let token): return line([("event", .text("token")), ("token", .text(token.hex))])
        case .received(let push):
            let ids = [
                ("apns-id", push.apnsID), ("apns-request-id", push.requestID), ("apns-channel-id", push.channelID),
                ("apns-topic", push.topic), ("apns-collapse-id", push.collapseID),
            ]
            return line(
                [
                    ("event", .text("received")), ("apns-unique-id", .text(push.uniqueID)),
                    ("apns-push-type", .text(push.pushType ?? "")),
                ] + ids.compactMap { name, text in text.map { (name, .text($0)) } } + [
                    ("payload", .raw(push.payload.isEmpty ? Array("null".utf8) : push.payload))
                ])
        case .forwarding(.forwarded(let count, let duration), let push):
            return line([
                ("event", .text("handed-on")), ("apns-unique-id", .text(push.uniqueID)), ("attempts", .whole(count)),
                ("milliseconds", .number(duration.inMilliseconds)),
            ])
        case .forwarding(.failed(let count, let why, let next), let push):
            let isAgain = if case .again = next { true } else { false }
            return line([
                ("event", .text("not-handed-on")), ("apns-unique-id", .text(push.uniqueID)),
                ("attempts", .whole(count)), ("why", .text(why)), ("again", .flag(isAgain)),
            ])
        case .dispatch(.started(let object, let records)):
            return line([
                ("event", .text("dispatched")), ("object", .text(object)),
                ("records", .texts(records.map(\.description))),
            ])
        case .dispatch(let event):
            return DeviceEventText.text(of: event).map { line([("event", .text("dispatch")), ("what", .text($0))]) }
        case .sync(.merged(let object, let counts)):
            return line([
                ("event", .text("merged")), ("object", .text(object)), ("counts", .text(DeviceEventText.words(counts))),
            ])
        case .sync(let event):
            return line([("event", .text("sync")), ("what", .text(DeviceEventText.text(of: event)))])
        case .stored(let object, let record):
            return line([
                ("event", .text("stored")), ("object", .text(object)),
                ("record", .raw(JSONValue.object(record.fields).compactBytes)),
            ])
        case .finished(let result, let push, let duration):
            return line([
                ("event", .text("result")), ("apns-unique-id", .text(push.uniqueID)), ("result", .text("\(result)")),
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
        return flags.compactMap { name, flag in flag.map { (name, .flag($0)) } }
            + (state.appState.map { [("app-state", .text($0))] } ?? []) + [("channels", .texts(state.channels))]
    }
}
