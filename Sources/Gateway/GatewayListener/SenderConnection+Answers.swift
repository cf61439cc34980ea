import APNSModel
import APNSTransport
import GatewayCore
import GatewayRuntime
import HTTP2Session
import NIOCore

/// A batch of requests that is judged, and answered when the store has it.
struct UnstoredBatch {
    let number: Int
    let judgements: [Judgement?]
    let streams: [SenderConnection.CompleteStream]
}

/// Judging and answering.
extension SenderConnection {
    func answer(_ connection: Connection<SenderConnection>) {
        guard !world.hasStore else { return answerOnceStored(connection) }
        let judgements = world.judge(complete, on: &gateway)
        requestPool?.give(&complete)
        perform(judgements, streams, connection)
        streams.removeAll(keepingCapacity: true)
    }

    private func perform(
        _ judgements: [Judgement?], _ streams: [CompleteStream], _ connection: Connection<SenderConnection>
    ) {
        for (judgement, (stream, isIncomplete)) in zip(judgements, streams) {
            guard let judgement else { continue }
            if let limit = judgement.streamLimit {
                attempt(connection) { () throws(HTTP2Error) in
                    try connection.http2.updateSettings([.maxConcurrentStreams(limit)])
                }
            }
            if let fault = judgement.fault {
                let answer = judgement.response.map {
                    HeldAnswers.Answer(
                        stream: stream, isRequestIncomplete: isIncomplete, response: $0, verdict: judgement.verdict,
                        began: connection.lastRead)
                }
                perform(fault, answer, stream, connection)
            } else if let response = judgement.response {
                respond(response, to: stream, isRequestIncomplete: isIncomplete, connection)
            }
        }
        if !waiting.isEmpty, connection.isOpen { setWaitingTimer(connection) }
    }

    /// Has the batch judged, and answers when the store has it.
    private func answerOnceStored(_ connection: Connection<SenderConnection>) {
        if world.isGivenUp { replaceWorld(connection) }
        lastBatch += 1
        let number = lastBatch
        let peer = NIOLoopBound(self, eventLoop: eventLoop)
        let judgements = world.judge(complete, on: &gateway) { isStored in
            peer.eventLoop.execute { peer.value.answer(number, isStored: isStored) }
        }
        requestPool?.give(&complete)
        unstored.append(UnstoredBatch(number: number, judgements: judgements, streams: streams))
        streams.removeAll(keepingCapacity: true)
    }

    private func answer(_ number: Int, isStored: Bool) {
        guard let connection, let index = unstored.firstIndex(where: { $0.number == number }) else { return }
        let batch = unstored.remove(at: index)
        guard connection.isOpen else { return }
        if isStored {
            perform(batch.judgements, batch.streams, connection)
        } else {
            refuse(batch, connection)
        }
        connection.flush()
        if connection.isOpen, state.isClosing { closeIfDone(connection) }
    }

    /// Answers 503 for accepted requests that could not be stored. Refusals are sent unchanged.
    private func refuse(_ batch: UnstoredBatch, _ connection: Connection<SenderConnection>) {
        let contested = world.read { world, _ in world.settings.contested }
        for (judgement, (stream, isIncomplete)) in zip(batch.judgements, batch.streams) {
            guard let response = judgement?.response else { continue }
            respond(
                judgement?.verdict.isAccepted ?? false ? GatewayResponse(unstored: response, contested) : response,
                to: stream, isRequestIncomplete: isIncomplete, connection)
        }
    }

    private func respond(
        _ response: GatewayResponse, to stream: HTTP2Stream, isRequestIncomplete: Bool, keepsBodyBack: Bool = false,
        _ connection: Connection<SenderConnection>
    ) {
        attempt(connection) { () throws(HTTP2Error) in
            try connection.http2.respond(
                to: stream, body: response.body, isRequestIncomplete: isRequestIncomplete, keepsBodyBack: keepsBodyBack
            ) {
                response.add(to: &$0)
            }
        }
    }

    func respond(
        _ answer: HeldAnswers.Answer, keepsBodyBack: Bool = false, _ connection: Connection<SenderConnection>
    ) {
        respond(
            answer.response, to: answer.stream, isRequestIncomplete: answer.isRequestIncomplete,
            keepsBodyBack: keepsBodyBack, connection)
    }
}

extension GatewayResponse {
    /// The header set of docs/reference/apns.md 1.7 and 2.6, in its order.
    fileprivate func add(to fields: inout HTTP2Fields) {
        if status == 200 { fields.add(":status", "200" as StaticString) } else { fields.add(":status", status) }
        fields.add(isAboutChannels ? "apns-request-id" : "apns-id", apnsID, isIndexed: false)
        if let channelID { fields.add("apns-channel-id", channelID, isIndexed: false) }
        shownID?.withBytes { fields.add("apns-unique-id", $0, isIndexed: false) }
        if let contentType { fields.add("content-type", contentType) }
        if let retryAfter { fields.add("retry-after", retryAfter) }
    }
}
