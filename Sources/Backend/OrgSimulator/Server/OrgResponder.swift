import PushDispatch
import ServiceHost

/// Passes calls to the world and makes of its answers what the port does.
struct OrgResponder: Sendable {
    let state: OrgState
    let controlGuard: ControlGuard
    let options: OrgServer.Options

    func answer(_ call: ServiceRequest) async throws -> ServiceDelivery {
        let answer = await outcome(call).answer
        if answer.delay > 0 { try await Task.sleep(for: .milliseconds(answer.delay)) }
        if answer.disconnectsAfter == -1 { return .close }
        options.onCall(
            OrgServer.Call(
                method: call.method, path: call.path, status: answer.response.status, requestBytes: call.body.count,
                replyBytes: answer.response.body.count))
        return answer.disconnectsAfter.map { .cut(answer.response, bytes: $0) } ?? .response(answer.response)
    }

    private func outcome(_ call: ServiceRequest) async -> OrgWorld.Outcome {
        // The REST interface does not need this check, because it requires an access token.
        if OrgWorld.isControl(call.path), let problem = controlGuard.problem(with: call) {
            return OrgWorld.Outcome(answer: OrgREST.Answer(problem.response))
        }
        var outcome = state.answer(call)
        if let (after, milliseconds) = outcome.waits {
            await state.waitForLog(after: after, milliseconds: milliseconds)
            outcome.answer.response = state.logPage(after: after)
        }
        if let explanation = outcome.explanation, let ask = options.askGateway, !explanation.questions.isEmpty {
            let deliveries = await ask(explanation.questions)
            outcome.answer.response = .json(explanation.json(deliveries).compactBytes)
        }
        return outcome
    }
}
