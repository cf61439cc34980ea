import APNSModel
import DeviceSimulator
import Foundation
import PayloadJSON
import PushDispatch
import SelectiveSync

/// Prints what happens on a simulated device, for a person or as JSON.
struct DevicePrinter: Sendable {
    let isJSON: Bool

    func ready(_ token: DeviceToken, _ topic: Topic) {
        if isJSON {
            line([("event", .text("ready")), ("token", .text(token.hex)), ("topic", .text(topic.value))])
        } else {
            print("device token \(token.hex), topic \(topic)")
        }
    }

    func show(_ event: SimulatedDevice.Event) {
        isJSON ? showJSON(event) : showText(event)
    }

    /// What was done, once it is over.
    func summary(of count: Int) {
        Output.standard.note("The device stopped; it handled \(count) \(count == 1 ? "push" : "pushes").")
    }

    private func print(_ text: String) {
        Output.standard.result(text)
        Output.standard.flush()
    }

    // MARK: For a person

    private func showText(_ event: SimulatedDevice.Event) {
        switch event {
        case .connected: print("connected, waiting for pushes")
        case .disconnected(let why): Output.standard.note("disconnected: \(why); coming back")
        case .gap: Output.standard.note("the gateway has forgotten what came before; something may be missing")
        case .moved(let token): print("the app has another device token now: \(token.hex)")
        case .received(let push):
            let payload = String(decoding: push.payload, as: UTF8.self)
            print(PlainText.safe("push \(push.uniqueID) \(push.pushType ?? "") \(payload)"))
        case .dispatch(let event):
            if let text = text(of: event) { print("  \(text)") }
        case .sync(let event): print("  \(text(of: event))")
        case .stored(let object, let record):
            print(PlainText.safe("  in the store: \(object) \(String(decoding: json(record), as: UTF8.self))"))
        case .finished(let result, _, let duration):
            print("  result \(result) after \(DurationText.short(duration))")
        }
    }

    private func text(of event: DispatchEvent) -> String? {
        switch event {
        case .received, .finished: nil
        case .issue(let issue): "issue: \(issue)"
        case .ignored(let reason): "nothing to fetch: \(reason)"
        case .twinDropped, .twinJoined: "the same push again"
        case .fetchAgain: "the same push after the request went out: fetched once more"
        case .started(let object, let records): "dispatch: \(object) \(list(records))"
        case .startedMessage(let type): "dispatch: \(type)"
        case .handlerFailed(let type): "the handler failed: \(type)"
        case .handlerStopped(let cause): "the handler was stopped: \(cause.rawValue)"
        case .handlerLate: "the handler came too late"
        case .kept(let object, let records): "pending: \(object) \(list(records))"
        case .notKept(let object, let records, _): "not kept: \(object) \(list(records))"
        case .storeLate: "the pending store came too late"
        }
    }

    private func text(of event: SyncEvent) -> String {
        switch event {
        case .unknownObject(let object): "no such object on this device: \(object)"
        case .merged(let object, let counts): "fetched and merged: \(object), \(words(counts))"
        case .fetchFailed(let object, let error) where error.code == .noSession:
            "\(object) was not fetched: \(error.detail); "
                + (error.advice == .logIn
                    ? "set APNS_ORG_TOKEN to one that it takes" : "start it with --org URL to have one")
        case .fetchFailed(let object, let error): "the fetch of \(object) failed: \(error)"
        case .retrying(let object, let milliseconds): "\(object) is asked for again in \(milliseconds) ms"
        case .regularSyncNeeded(let object): "too many hints for \(object); a regular sync has to bring them"
        case .regularSync(let object, let state): "regular sync of \(object): \(state)"
        case .storeFailed(let object, let type): "the store failed for \(object): \(type)"
        case .pendingFailed(let type): "the pending store failed: \(type)"
        }
    }

    private func words(_ counts: MergeCounts) -> String {
        let all = [
            (counts.inserted, "inserted"), (counts.replaced, "replaced"), (counts.removed, "removed"),
            (counts.marked, "marked as gone"),
            (counts.unchanged, "unchanged"), (counts.older, "older than here"),
            (counts.dirty, "left with unsent edits"),
            (counts.dirtyMissing.count, "gone, but with unsent edits"), (counts.absent, "unknown on both sides"),
        ]
        return all.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    private func list(_ records: [RecordID]) -> String {
        let shown = records.prefix(3).map(\.description).joined(separator: ", ")
        return records.count > 3 ? "\(shown) and \(records.count - 3) more" : shown
    }

    private func json(_ record: ServerRecord) -> [UInt8] { JSONValue.object(record.fields).compactBytes }

    // MARK: For a script

    private enum Value {
        case text(String)
        case number(Double)
        case raw([UInt8])
        case texts([String])
    }

    private func line(_ members: [(String, Value)]) {
        var bytes = [UInt8(ascii: "{")]
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONWriter.append(member.0, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            switch member.1 {
            case .text(let text): JSONWriter.append(text, to: &bytes)
            case .number(let number): bytes += DurationText.decimal(number, places: 1).utf8
            case .raw(let raw): bytes += raw
            case .texts(let texts):
                bytes += ("[" + texts.map { JSONWriter.quoted($0) }.joined(separator: ",") + "]").utf8
            }
        }
        print(String(decoding: bytes + [UInt8(ascii: "}")], as: UTF8.self))
    }

    private func showJSON(_ event: SimulatedDevice.Event) {
        switch event {
        case .connected: line([("event", .text("connected"))])
        case .disconnected(let why): line([("event", .text("disconnected")), ("why", .text(why))])
        case .gap: line([("event", .text("gap"))])
        case .moved(let token): line([("event", .text("token")), ("token", .text(token.hex))])
        case .received(let push):
            line([
                ("event", .text("received")), ("apns-unique-id", .text(push.uniqueID)),
                ("apns-push-type", .text(push.pushType ?? "")),
                ("payload", .raw(push.payload.isEmpty ? Array("null".utf8) : push.payload)),
            ])
        case .dispatch(.started(let object, let records)):
            line([
                ("event", .text("dispatched")), ("object", .text(object)),
                ("records", .texts(records.map(\.description))),
            ])
        case .dispatch(let event):
            if let text = text(of: event) { line([("event", .text("dispatch")), ("what", .text(text))]) }
        case .sync(.merged(let object, let counts)):
            line([("event", .text("merged")), ("object", .text(object)), ("counts", .text(words(counts)))])
        case .sync(let event): line([("event", .text("sync")), ("what", .text(text(of: event)))])
        case .stored(let object, let record):
            line([("event", .text("stored")), ("object", .text(object)), ("record", .raw(json(record)))])
        case .finished(let result, let push, let duration):
            line([
                ("event", .text("result")), ("apns-unique-id", .text(push.uniqueID)), ("result", .text("\(result)")),
                ("milliseconds", .number(duration.inMilliseconds)),
            ])
        }
    }
}
