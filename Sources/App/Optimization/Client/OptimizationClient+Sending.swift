import EventDelivery
import PushDispatch

extension OptimizationClient {
    /// Sends events to the profile service. The state changes before this returns.
    func sendProfile(_ batch: EventBatch, run: Int) async -> TransportAnswer {
        // The events may have been withdrawn while the request came to this actor.
        guard !Task.isCancelled, run == self.run, let core, let urls else { return .noAnswer }
        let request = OptimizationHTTPRequest(
            method: "POST", url: urls.profile(core.profileID(of: batch.group)),
            headers: ["Content-Type": batch.contentType, "Accept": "application/json"], body: batch.body,
            withinMilliseconds: max(1, core.configuration.requestMilliseconds),
            maximumReplyBytes: ProfileReply.maximumBytes)
        guard let reply = try? await transport.send(request) else { return .noAnswer }
        guard (200...299).contains(reply.status) else {
            report(
                .profileReply(status: reply.status, ProfileReply.errorCode(reply.body) ?? "the reply names no error"))
            return .status(reply.status, retryAfterMilliseconds: reply.pauseMilliseconds)
        }
        // The answer to a cancelled request or a destroyed client is not used; the service has the events.
        let read = await OptimizationClient.read(reply.body)
        guard run == self.run else { return .status(reply.status) }
        switch read {
        case .success(let profile):
            if !profile.issues.isEmpty { report(.leftOut(profile.issues)) }
            _ = self.core?.answered(profile, group: batch.group)
            changed()
        case .failure(let error): report(.profileReply(status: reply.status, error.detail))
        }
        return .status(reply.status)
    }

    /// Not on the main actor: a reply can have megabytes.
    private nonisolated static func read(_ body: [UInt8]) async -> Result<ProfileReply, OptimizationError> {
        do throws(OptimizationError) { return .success(try ProfileReply.read(body)) } catch { return .failure(error) }
    }

    func sendAnalytics(_ batch: EventBatch, run: Int) async -> TransportAnswer {
        // The events may have been withdrawn while the request came to this actor.
        guard !Task.isCancelled, run == self.run, let core, let urls else { return .noAnswer }
        let request = OptimizationHTTPRequest(
            method: "POST", url: urls.analytics, headers: ["Content-Type": batch.contentType], body: batch.body,
            withinMilliseconds: max(1, core.configuration.analyticsQueue.answerMilliseconds), maximumReplyBytes: 65_536)
        guard let reply = try? await transport.send(request) else { return .noAnswer }
        return .status(reply.status, retryAfterMilliseconds: reply.pauseMilliseconds)
    }
}
