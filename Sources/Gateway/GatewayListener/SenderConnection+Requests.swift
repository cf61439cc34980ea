import APNSModel
import APNSTransport
import GatewayCore
import GatewayRuntime
import HTTP2Session

/// Collecting requests.
extension SenderConnection {
    func connection(_ connection: Connection<SenderConnection>, received batch: borrowing HTTP2EventBatch) {
        if case .refuse(let goAway) = state.received() { return sendRefusal(goAway, connection) }
        for event in batch.events {
            switch event {
            case .head(let stream, let fields): begin(stream, fields, batch, connection)
            case .body(let stream, let range):
                guard incoming.indices.contains(Int(stream.slot)) else { break }
                incoming[Int(stream.slot)]?.request.append(batch.bytes(range))
            case .end(let stream, let bodyBytes): finish(stream, bodyBytes: bodyBytes, isIncomplete: false)
            case .bodyTooLong(let stream):
                finish(stream, bodyBytes: SenderConnection.limits.bodyBytes + 1, isIncomplete: true)
            case .closed(let stream, _):
                if incoming.indices.contains(Int(stream.slot)) { incoming[Int(stream.slot)] = nil }
                if waiting.hasAnswers { waiting.drop(stream) }
                if !silent.isEmpty { silent.remove(stream.id) }
            case .settings, .settingsAcknowledged, .goAway, .pingAcknowledged: break
            }
        }
        if !complete.isEmpty {
            if case .first = state.requestsCompleted() { reportUse() }
            answer(connection)
        }
        if state.isClosing { closeIfDone(connection) }
    }

    private func begin(
        _ stream: HTTP2Stream, _ fields: Range<Int>, _ batch: borrowing HTTP2EventBatch,
        _ connection: Connection<SenderConnection>
    ) {
        let now = connection.lastRead
        let slot = Int(stream.slot)
        while incoming.count <= slot { incoming.append(nil) }
        let head = SenderConnection.head(batch, fields, &knownValues)
        let isMisdirected: Bool
        switch state.head(head.authority, isHostInvalid: gateway.invalidHost != nil) {
        case .take(let isElsewhere): isMisdirected = isElsewhere
        case .enter(let name):
            guard enterForRequest(name, connection) else { return }
            isMisdirected = false
        case .ignore: return
        }
        let request: CompleteRequest
        if let spare = requestPool?.take() {
            spare.begin(stream: stream.id, head: consume head, began: now, isMisdirected: isMisdirected)
            request = spare
        } else {
            request = CompleteRequest(
                stream: stream.id, head: consume head, began: now, isMisdirected: isMisdirected)
        }
        incoming[slot] = Incoming(stream: stream, began: now, request: request)
    }

    private static func head(
        _ batch: borrowing HTTP2EventBatch, _ fields: Range<Int>, _ known: inout KnownValues
    ) -> RequestHead {
        var head = RequestHead()
        // A loop and not a closure: a closure would copy the head.
        for index in fields {
            let field = batch.field(index)
            head.add(name: field.name, value: field.value, known: &known)
        }
        if head.mayRepeatOthers { noteRepeated(batch, fields, &head) }
        return head
    }

    private static func noteRepeated(
        _ batch: borrowing HTTP2EventBatch, _ fields: Range<Int>, _ head: inout RequestHead
    ) {
        for index in fields {
            let name = batch.field(index).name
            let isRepeated = (fields.lowerBound..<index).contains { batch.field($0).name.elementsEqual(name) }
            if isRepeated { head.noteRepeated(name) }
        }
    }

    private func finish(_ stream: HTTP2Stream, bodyBytes: Int, isIncomplete: Bool) {
        let slot = Int(stream.slot)
        guard incoming.indices.contains(slot), incoming[slot]?.stream == stream,
            let request = incoming[slot].take()?.request
        else { return }
        request.end(bodyBytes: bodyBytes)
        complete.append(request)
        streams.append((stream, isIncomplete))
    }
}
