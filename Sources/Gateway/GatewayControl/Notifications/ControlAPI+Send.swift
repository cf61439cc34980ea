import APNSPayload
import GatewayCore
import GatewayJSON
import GatewayRuntime
import PayloadJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ControlAPI {
    /// Judges an envelope as if a provider had sent it. Status 201 only means that it was judged; `outcome` has the
    /// result.
    func send(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let complete = try CompleteRequest(Envelope(request))
        guard let entry = state.send(complete) else {
            if state.isStoreFailing { throw .notStored }
            throw Problem(
                503, "The journal was overrun",
                "it was judged, but is no longer in the journal; let the gateway keep more notifications (retain)")
        }
        return .created(entry.json(withLife: true), at: base + "/api/notifications/\(entry.uniqueID)")
    }

    /// The validator's findings for an envelope. Lines and columns refer to the payload as it is sent.
    func validate(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let envelope = try Envelope(request)
        var validator = Validator()
        let found = validator.findings(for: envelope)
        let lines = LineIndex(envelope.payload)
        return .ok(
            .object { object in
                object.add("findings", .array(found.map { $0.json(lines) }))
                object.add("payload-bytes", envelope.payload.count)
                object.addOrNull("maximum-payload-bytes", envelope.maximumPayloadBytes)
            })
    }
}

extension Envelope {
    /// Reads the body of a request. Headers are not checked here, so that the gateway can refuse them; the payload is
    /// sent in compact form, or as the exact bytes of `payload-base64`, which need not be JSON.
    fileprivate init(_ request: ControlRequest) throws(Problem) {
        let keys = [
            "token", "apns-topic", "apns-push-type", "apns-priority", "apns-expiration", "apns-collapse-id", "apns-id",
            "apns-channel-id", "apns-request-id", "payload", "payload-base64",
        ]
        let body = try ControlBody(request.body, keys: keys)
        let payload: [UInt8]
        if let text = try body.string("payload-base64") {
            guard body.kind("payload") == nil else {
                throw body.problem("there are both \"payload\" and \"payload-base64\"; send one of them")
            }
            guard let data = Data(base64Encoded: text) else { throw body.wrong("payload-base64", "base64") }
            payload = Array(data)
        } else {
            payload = body.compact("payload") ?? []
        }
        var id = try body.header("apns-id")
        if id == nil { id = try body.header("apns-request-id") }
        self.init(
            kind: .notification, token: try body.header("token"), topic: try body.header("apns-topic"),
            pushType: try body.header("apns-push-type"), priority: try body.header("apns-priority"),
            expiration: try body.header("apns-expiration"), collapseID: try body.header("apns-collapse-id"),
            apnsID: id, channelID: try body.header("apns-channel-id"), payload: payload)
    }
}

extension CompleteRequest {
    fileprivate convenience init(_ envelope: Envelope) throws(Problem) {
        let path =
            envelope.isBroadcast
            ? "/4/broadcasts/apps/\(envelope.topic ?? "")" : "/3/device/\(envelope.token ?? "")"
        var head = RequestHead()
        let fields: [(String, String?)] = [
            (":method", "POST"), (":path", path), ("apns-topic", envelope.isBroadcast ? nil : envelope.topic),
            ("apns-push-type", envelope.pushType), ("apns-priority", envelope.priority),
            ("apns-expiration", envelope.expiration), ("apns-collapse-id", envelope.collapseID),
            (envelope.isBroadcast ? "apns-request-id" : "apns-id", envelope.apnsID),
            ("apns-channel-id", envelope.channelID),
        ]
        for case (let name, let value?) in fields { head.add(name: name, value: value) }
        guard !head.isOversized else {
            throw .badRequest(
                "the headers have more than \(RequestHead.maximumListBytes) bytes, the limit of a connection to APNs")
        }
        self.init(stream: 1, head: head, body: Array(envelope.payload.prefix(World.maximumBodyBytes)))
        end(bodyBytes: envelope.payload.count)
    }
}

extension Finding {
    fileprivate func json(_ lines: LineIndex) -> JSONText {
        .object { object in
            add(to: &object)
            guard let range else { return }
            let (start, end) = (lines.location(of: range.lowerBound), lines.location(of: range.upperBound))
            object.add("line", start.line)
            object.add("column", start.column)
            object.add("end-line", end.line)
            object.add("end-column", end.column)
        }
    }
}
