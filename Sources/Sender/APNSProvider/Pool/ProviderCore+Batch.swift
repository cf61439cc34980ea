import HTTP2Session
import APNSModel

extension ProviderCore {
    /// What the event loop does after a batch.
    struct FollowUp {
        /// Streams to reset: their answers are longer than any that APNs sends.
        var tooLong: [HTTP2Stream] = []
        /// The reason of a GOAWAY, or the name of its error code, to be logged.
        var goAway: String?
    }

    /// Handles the events of one read on the connection.
    ///
    /// - Parameter streamLimit: The limit of the gateway's latest SETTINGS.
    mutating func received(
        _ batch: borrowing HTTP2EventBatch, on index: Int, streamLimit: Int, at now: MonotonicTime,
        resolved: inout [Resolution]
    ) -> FollowUp {
        var followUp = FollowUp()
        heard(connection: index, at: now)
        for event in batch.events {
            switch event {
            case .head(let stream, let fields):
                connections[index]?.head(Int(stream.slot), batch, fields)
            case .body(let stream, let bytes):
                body(connection: index, slot: Int(stream.slot), bytes: batch.bytes(bytes))
            case .end(let stream, _):
                if let resolution = answered(connection: index, slot: Int(stream.slot), at: now) {
                    resolved.append(resolution)
                }
            case .bodyTooLong(let stream): followUp.tooLong.append(stream)
            case .closed(let stream, let code):
                // Nearly all streams end with NO_ERROR. Interpolating its name each time would cost more than
                // everything else here.
                if let resolution = closed(
                    connection: index, slot: Int(stream.slot), isRefused: code == .refusedStream,
                    description: code == .noError ? "NO_ERROR" : "\(code)",
                    resetHere: batch.resetsHere.isEmpty ? nil : batch.causeOfResetHere(stream, code), at: now)
                {
                    resolved.append(resolution)
                }
            case .settings: self.streamLimit(connection: index, streamLimit)
            case .goAway(_, let code, let debugData):
                let goAway = GoAway(code, debugData: batch.bytes(debugData))
                followUp.goAway = goAway.description
                self.goAway(connection: index, reason: goAway.reason, description: goAway.description, code, at: now)
            case .settingsAcknowledged, .pingAcknowledged: break
            }
        }
        return followUp
    }
}
