import APNSModel
import DeviceSimulator
import Foundation
import PayloadJSON
import PushDispatch
import SelectiveSync

/// Prints the events of a simulated device, for a person or as JSON.
struct DevicePrinter: Sendable {
    let isJSON: Bool
    /// Where `--forward` or `--exec` hands pushes on to; nil for nowhere.
    var forwardingTarget: ForwardingTarget?
    var attempts = 1
    private let disconnects = DisconnectNotes()
    private let plainAlerts = PlainAlertNotes()

    func ready(_ token: DeviceToken, _ topic: Topic) {
        if isJSON {
            write(DeviceEventJSON.ready(token, topic))
        } else {
            write("device token \(token.hex), topic \(topic)")
        }
    }

    func show(_ event: SimulatedDevice.Event) {
        guard isJSON else { return showText(event) }
        if case .forwarding(.failed(let count, let why, let next), let push) = event { note(count, why, next, push) }
        if let line = DeviceEventJSON.line(event) { write(line) }
    }

    /// Prints on stderr how many pushes were handled.
    func summary(of handled: HandledPushes.Count) {
        let count = handled.all
        var text = "The device stopped; it handled \(count) \(count == 1 ? "push" : "pushes")"
        if forwardingTarget != nil {
            text += handled.givenUp == 0 ? ", all forwarded" : ", of which \(handled.givenUp) could not be forwarded"
        }
        Output.standard.note(text + ".")
        if let interrupted = handled.interrupted {
            Output.standard.note(
                PlainText.safe(
                    "\(interrupted) was not forwarded before the end. To continue with it: --after \(handled.last ?? "start")"
                ))
        }
    }

    /// Writes a line to stdout at once.
    private func write(_ text: String) {
        Output.standard.result(text)
        Output.standard.flush()
    }

    private func showText(_ event: SimulatedDevice.Event) {
        guard disconnects.shows(event) else { return }
        switch plainAlerts.line(of: event) {
        case .usual: break
        case .nothing: return
        case .text(let text): return write("  \(text)")
        }
        switch event {
        case .connected(let state):
            write(
                PlainText.safe("connected, waiting for pushes" + (state.map { "; \(DeviceEventText.words($0))" } ?? ""))
            )
        case .disconnected(let why): Output.standard.note("disconnected: \(why); reconnecting")
        case .gap: Output.standard.note("the gateway no longer has all earlier pushes; some may be missing")
        case .moved(let token): write("the app has a new device token: \(token.hex)")
        case .received(let push):
            let payload = String(decoding: push.payload, as: UTF8.self)
            let channel = push.channelID.map { " on channel \($0)" } ?? ""
            write(PlainText.safe("push \(push.uniqueID) \(push.pushType ?? "")\(channel) \(payload)"))
            if let shown = ShownAlert(push) { write(PlainText.safe("  \(shown.text)")) }
        case .forwarding(let event, let push): showForwarding(event, push)
        case .dispatch(let event):
            if let text = DeviceEventText.text(of: event) { write("  \(text)") }
        case .sync(let event): write("  \(DeviceEventText.text(of: event))")
        case .stored(let object, let record):
            write(
                PlainText.safe(
                    "  in the store: \(object) \(String(decoding: JSONValue.object(record.fields).compactBytes, as: UTF8.self))"
                ))
        case .finished(let result, _, let duration):
            write("  result \(result) after \(DurationText.short(duration))")
        }
    }

    private func showForwarding(_ event: DeliveryForwarder.Event, _ push: DeliveredPush) {
        switch event {
        case .forwarded(let count, let duration):
            let tries = count == 1 ? "" : ", on try \(count)"
            write("  forwarded to \(forwardingTarget?.name ?? "") after \(DurationText.short(duration))\(tries)")
        case .failed(let count, let why, let next): note(count, why, next, push)
        }
    }

    /// Reports a failed try on stderr, with --json too.
    private func note(_ count: Int, _ why: String, _ next: DeliveryForwarder.Next, _ push: DeliveredPush) {
        let words =
            switch next {
            case .again(let pause): "trying again in \(DurationText.short(pause))"
            case .givenUp: "given up"
            case .interrupted: "the device stops"
            }
        Output.standard.note(
            PlainText.safe("\(push.uniqueID) was not forwarded, try \(count) of \(attempts): \(why); \(words)"))
    }
}
