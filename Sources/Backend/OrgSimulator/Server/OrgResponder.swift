import Hummingbird
import HummingbirdCore
import NIOCore
import PushDispatch

/// Passes HTTP/1.1 calls to the world and writes its answers.
struct OrgResponder: Sendable {
    let state: OrgState
    let controlGuard: OrgControlGuard
    let options: OrgServer.Options

    func respond(
        to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let (call, isWhole) = try await read(request)
        var outcome: OrgWorld.Outcome
        if let problem = controlGuard.problem(with: call) {
            outcome = OrgWorld.Outcome(answer: OrgREST.Answer(problem.response))
        } else {
            outcome = state.answer(call)
            if let (after, milliseconds) = outcome.waits {
                await state.waitForLog(after: after, milliseconds: milliseconds)
                outcome.answer.response = state.logPage(after: after)
            }
            if let explanation = outcome.explanation, let ask = options.askGateway, !explanation.questions.isEmpty {
                let deliveries = await ask(explanation.questions)
                outcome.answer.response = .json(explanation.json(deliveries).compactBytes)
            }
        }
        let answer = outcome.answer
        if answer.delay > 0 { try await Task.sleep(for: .milliseconds(answer.delay)) }
        if answer.disconnectsAfter == -1 {
            try? await channel.close().get()
            return
        }
        options.onCall(
            OrgServer.Call(
                method: call.method, path: call.path, status: answer.response.status, requestBytes: call.body.count,
                replyBytes: answer.response.body.count))
        try await write(answer, writer, channel, closes: !isWhole)
    }

    /// - Returns: Whether the body is complete. Of a body that is too long, enough is kept for the org to refuse it.
    private func read(_ request: Request) async throws -> (OrgRequest, isWhole: Bool) {
        let target = request.head.path ?? "/"
        let question = target.firstIndex(of: "?")
        var call = OrgRequest(
            request.method.rawValue, String(target[..<(question ?? target.endIndex)]),
            query: question.map { String(target[target.index(after: $0)...]) } ?? "")
        for field in request.headers { call.headers[field.name.canonicalName] = field.value }
        call.headers["host"] = request.head.authority
        for try await var part in request.body {
            call.body += part.readBytes(length: part.readableBytes) ?? []
            if call.body.count > OrgREST.maximumBodyBytes { return (call, false) }
        }
        return (call, true)
    }

    private func write(
        _ answer: OrgREST.Answer, _ writer: consuming ResponseWriter, _ channel: any Channel, closes: Bool
    ) async throws {
        var head = HTTPResponse(status: .init(code: answer.response.status))
        for (name, value) in answer.response.headers {
            HTTPFields.Element.Name(name).map { head.headerFields[$0] = value }
        }
        if answer.response.status != 204 {
            head.headerFields[.contentLength] = String(answer.response.body.count)
        }
        if closes { head.headerFields[.connection] = "close" }
        if let count = answer.disconnectsAfter {
            var body = try await writer.writeHead(head)
            try await body.write(ByteBuffer(bytes: answer.response.body.prefix(count)))
            try? await channel.close().get()
            return
        }
        try await writer.write(response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.response.body)))
        // The server does not wait for the rest of a body that is too long.
        if closes { try? await channel.close().get() }
    }
}
