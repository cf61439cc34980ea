import APNSModel
import DeviceSimulator
import Foundation
import PayloadJSON
import PushDispatch
import SelectiveSync

/// Prints what happens on a simulated device, for a person or as JSON.
struct DevicePrinter: Sendable {
    let isJSON: Bool
    /// The target of onward delivery, as `--forward` or `--exec` names it; nil for none.
    var onward: ForwardingTarget?
    var attempts = 1

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
    func summary(of handled: HandledPushes.Count) {
        let count = handled.all
        var text = "The device stopped; it handled \(count) \(count == 1 ? "push" : "pushes")"
        if onward != nil {
            text += handled.givenUp == 0 ? ", all handed on" : ", of which \(handled.givenUp) could not be handed on"
        }
        Output.standard.note(text + ".")
        if let interrupted = handled.interrupted {
            Output.standard.note(
                PlainText.safe(
                    "\(interrupted) was not handed on any more. To go on with it: --after \(handled.last ?? "start")"))
        }
    }

    private func print(_ text: String) {
        Output.standard.result(text)
        Output.standard.flush()
    }

    // MARK: For a person

    private func showText(_ event: SimulatedDevice.Event) {
        switch event {
        case .connected(let state):
            print(PlainText.safe("connected, waiting for pushes" + (state.map { "; \(words($0))" } ?? "")))
        case .disconnected(let why): Output.standard.note("disconnected: \(why); coming back")
        case .gap: Output.standard.note("the gateway has forgotten what came before; something may be missing")
        case .moved(let token): print("the app has another device token now: \(token.hex)")
        case .received(let push):
            let payload = String(decoding: push.payload, as: UTF8.self)
            let channel = push.channelID.map { " on channel \($0)" } ?? ""
            print(PlainText.safe("push \(push.uniqueID) \(push.pushType ?? "")\(channel) \(payload)"))
        case .forwarding(let event, let push): showOnward(event, push)
        case .dispatch(let event):
            if let text = text(of: event) { print("  \(text)") }
        case .sync(let event): print("  \(text(of: event))")
        case .stored(let object, let record):
            print(PlainText.safe("  in the store: \(object) \(String(decoding: json(record), as: UTF8.self))"))
        case .finished(let result, _, let duration):
            print("  result \(result) after \(DurationText.short(duration))")
        }
    }

    private func showOnward(_ event: DeliveryForwarder.Event, _ push: DeliveredPush) {
        switch event {
        case .forwarded(let count, let duration):
            let tries = count == 1 ? "" : ", at try \(count)"
            print("  handed on to \(onward?.name ?? "") after \(DurationText.short(duration))\(tries)")
        case .failed(let count, let why, let next): note(count, why, next, push)
        }
    }

    /// A try that failed is told on stderr in both forms.
    private func note(_ count: Int, _ why: String, _ next: DeliveryForwarder.Next, _ push: DeliveredPush) {
        let words =
            switch next {
            case .again(let pause): "trying again in \(DurationText.short(pause))"
            case .givenUp: "given up"
            case .interrupted: "the device stops"
            }
        Output.standard.note(
            PlainText.safe("\(push.uniqueID) was not handed on, try \(count) of \(attempts): \(why); \(words)"))
    }

    private func words(_ state: DeviceState) -> String {
        var words: [String] = []
        if let isOnline = state.isOnline { words.append(isOnline ? "online" : "offline") }
        if let appState = state.appState { words.append("app \(appState)") }
        if state.isInLowPower == true { words.append("low power") }
        if state.isInLowData == true { words.append("low data") }
        if state.allowsBackgroundRefresh == false { words.append("background refresh off") }
        switch state.channels.count {
        case 0: break
        case 1: words.append("channel \(state.channels[0])")
        default: words.append("channels \(state.channels.joined(separator: ", "))")
        }
        return words.joined(separator: ", ")
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
        case .uploadFailed(let object, let error): "upload of \(object) failed: \(error)"
        case .uploaded(let object, let report):
            "upload of \(object): \(report.state), \(report.uploaded) uploaded, \(report.conflicts.count) in conflict, "
                + "\(report.refused.count) refused"
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
        case flag(Bool)
        case whole(Int)
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
            case .flag(let flag): bytes += "\(flag)".utf8
            case .whole(let whole): bytes += "\(whole)".utf8
            case .texts(let texts):
                bytes += ("[" + texts.map { JSONWriter.quoted($0) }.joined(separator: ",") + "]").utf8
            }
        }
        print(String(decoding: bytes + [UInt8(ascii: "}")], as: UTF8.self))
    }

    private func showJSON(_ event: SimulatedDevice.Event) {
        switch event {
        case .connected(let state): line([("event", .text("connected"))] + members(state))
        case .disconnected(let why): line([("event", .text("disconnected")), ("why", .text(why))])
        case .gap: line([("event", .text("gap"))])
        case .moved(let token): line([("event", .text("token")), ("token", .text(token.hex))])
        case .received(let push):
            let ids = [
                ("apns-id", push.apnsID), ("apns-request-id", push.requestID), ("apns-channel-id", push.channelID),
                ("apns-topic", push.topic), ("apns-collapse-id", push.collapseID),
            ]
            line(
                [
                    ("event", .text("received")), ("apns-unique-id", .text(push.uniqueID)),
                    ("apns-push-type", .text(push.pushType ?? "")),
                ] + ids.compactMap { name, text in text.map { (name, .text($0)) } } + [
                    ("payload", .raw(push.payload.isEmpty ? Array("null".utf8) : push.payload))
                ])
        case .forwarding(.forwarded(let count, let duration), let push):
            line([
                ("event", .text("handed-on")), ("apns-unique-id", .text(push.uniqueID)), ("attempts", .whole(count)),
                ("milliseconds", .number(duration.inMilliseconds)),
            ])
        case .forwarding(.failed(let count, let why, let next), let push):
            note(count, why, next, push)
            let isAgain = if case .again = next { true } else { false }
            line([
                ("event", .text("not-handed-on")), ("apns-unique-id", .text(push.uniqueID)),
                ("attempts", .whole(count)), ("why", .text(why)), ("again", .flag(isAgain)),
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

    private func members(_ state: DeviceState?) -> [(String, Value)] {
        guard let state else { return [] }
        let flags = [
            ("online", state.isOnline), ("low-power", state.isInLowPower),
            ("low-data", state.isInLowData), ("background-refresh", state.allowsBackgroundRefresh),
        ]
        return flags.compactMap { name, flag in flag.map { (name, .flag($0)) } }
            + (state.appState.map { [("app-state", .text($0))] } ?? []) + [("channels", .texts(state.channels))]
    }
}
