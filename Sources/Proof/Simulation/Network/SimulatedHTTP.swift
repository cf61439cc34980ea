import Foundation
import OrgSimulator
import PushDispatch
import SelectiveSync
import ServiceHost

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The network between an app's process and the org: it carries the requests of the app's real client and session, with
/// losses, delays, refusals and broken replies.
///
/// @unchecked: only the thread of the simulation uses it.
final class SimulatedHTTP: HTTPTransport, @unchecked Sendable {
    /// The call of the app that a request belongs to; tasks started by it inherit the value.
    struct Call: Sendable {
        let account: RecordID?
        /// Whether its changes may overwrite changes by others.
        var overwrites = false
        /// Whether it is a selective fetch.
        var isSelective = false

        @TaskLocal static var current: Call?
    }

    private unowned let device: AuditedDevice
    private unowned let run: Run
    private let clock: ProcessClock
    private let sessions: SessionAudit

    init(_ device: AuditedDevice, _ clock: ProcessClock) {
        self.device = device
        run = device.run
        self.clock = clock
        sessions = SessionAudit(device)
    }

    func send(_ message: URLRequest, within milliseconds: Int64) async throws(FetchError) -> RESTReply {
        guard clock.isRunning else { throw SimulatedHTTP.processEnded }
        guard milliseconds > 0 else { throw FetchError(.timeout, advice: .retryLater, "no time left") }
        let request = ServiceRequest(message)
        let isRenewal = request.path.hasSuffix("/token")
        run.count(isRenewal ? .sessionRenewal : .request)
        if isRenewal { sessions.renewalBegins(request.body) }
        defer { if isRenewal { sessions.renewalEnds() } }
        let deadline = clock.now().advanced(byMilliseconds: milliseconds)
        try await passNetwork(deadline)
        let reply = isRenewal ? renewal(request) : answer(request)
        if !isRenewal, isSlow(request) {
            run.noteFault()
            try? await clock.sleep(until: min(deadline, clock.now().advanced(byMilliseconds: 15_000)))
        }
        try await passNetwork(deadline)
        let received = cut(reply)
        if isRenewal { sessions.renewed(request.body, received) }
        return received
    }

    /// Whether the answer to this request is one of those that the device gets late.
    private func isSlow(_ request: ServiceRequest) -> Bool {
        guard run.injectsFaults else { return false }
        let edits = EditText.read(request)
        if device.slow.creations > 0, edits.contains(where: \.isCreation) {
            device.slow.creations -= 1
        } else if device.slow.changes > 0, !edits.isEmpty {
            device.slow.changes -= 1
        } else if device.slow.fetches > 0, Call.current?.isSelective == true {
            device.slow.fetches -= 1
        } else {
            return false
        }
        return true
    }

    static let processEnded = FetchError(.cancelled, advice: .retryLater, "the process has ended")
    static let offline = FetchError(.network, advice: .retryLater, "no connection")

    /// One direction of an exchange: request or reply.
    private func passNetwork(_ deadline: DispatchMoment) async throws(FetchError) {
        guard clock.isRunning else { throw SimulatedHTTP.processEnded }
        guard device.network != .offline else { throw SimulatedHTTP.offline }
        let trip = run.trip()
        let arrival = trip.milliseconds.map { clock.now().advanced(byMilliseconds: $0) } ?? deadline
        do {
            try await clock.sleep(until: min(arrival, deadline))
        } catch {
            throw FetchError(.cancelled, advice: .retryLater, "stopped")
        }
        guard clock.isRunning else { throw SimulatedHTTP.processEnded }
        if trip.milliseconds == nil || arrival > deadline {
            throw FetchError(.timeout, advice: .retryLater, "no answer in time")
        }
        if trip.isBroken || device.network == .offline { throw SimulatedHTTP.offline }
    }

    /// Sometimes the connection ends early, and the client gets the first part of the body as if it were all.
    private func cut(_ reply: RESTReply) -> RESTReply {
        guard !reply.body.isEmpty, run.injectsFault(run.settings.cutPercent) else { return reply }
        run.count(.replyCut)
        var reply = reply
        reply.body = Array(reply.body.prefix(run.number(below: reply.body.count)))
        run.trace("\(device.name) gets \(reply.body.count) bytes of a reply")
        return reply
    }
}

// MARK: - The org's side

extension SimulatedHTTP {
    private func answer(_ request: ServiceRequest) -> RESTReply {
        let token = request.accessToken
        if let token { sessions.uses(token) }
        if let token, run.injectsFault(run.settings.sessionEndPercent) { run.org.endSession(token) }
        let user = run.org.user(of: token, at: run.orgNow)
        if user == nil {
            run.count(.sessionExpired)
            run.trace("\(device.name) learns that its session has expired")
        }
        if let user, let call = Call.current, call.account != user {
            run.reportViolation(
                "\(device.name) sends a request of \(call.account.map(run.name) ?? "nobody") as \(run.name(user))")
        }
        if let refusal = run.serverRefusal() {
            run.trace("the org refuses \(device.name): \(refusal.status)")
            return refusal
        }
        if run.settings.refusesDeletions, request.path.hasSuffix("/deleted/") {
            return .refusal(404, "NOT_FOUND")
        }
        let edits = user == nil ? [] : EditText.read(request)
        return edits.isEmpty ? perform(request, []) : answer(request, edits)
    }

    private func renewal(_ request: ServiceRequest) -> RESTReply {
        if let refusal = run.serverRefusal() { return refusal }
        if run.injectsFault(run.settings.loginNeededPercent), let token = device.tokens?.refreshToken {
            run.count(.loginNeeded)
            run.trace("the org ends the log-in of \(device.name)")
            run.org.endLogIn(token)
        }
        return perform(request, [])
    }

    /// Single changes may be refused, also inside a composite call.
    private func answer(_ request: ServiceRequest, _ edits: [EditText]) -> RESTReply {
        var refused: [String: RESTReply] = [:]
        for edit in edits { refused[edit.reference] = run.editRefusal() }
        if refused.isEmpty { return perform(request, edits) }
        guard edits[0].reference.isEmpty == false else { return refused[""] ?? perform(request, edits) }
        let parts = EditText.parts(of: request)
        let kept = parts.filter { refused[$0["referenceId"]?.string ?? ""] == nil }
        var answers: [String: JSONValue] = [:]
        var reply = RESTReply(status: 200, headers: ["content-type": "application/json"])
        if !kept.isEmpty {
            var rest = request
            rest.body =
                JSONValue.object(["allOrNone": false, "compositeRequest": .array(kept.map { .object($0) })])
                .compactBytes
            reply = perform(rest, edits.filter { refused[$0.reference] == nil })
            for answer in EditText.value(reply.body)?.object?["compositeResponse"]?.array ?? [] {
                answers[answer.object?["referenceId"]?.string ?? ""] = answer
            }
            guard answers.count == kept.count else { return reply }
        }
        for (reference, refusal) in refused {
            answers[reference] = [
                "body": EditText.value(refusal.body) ?? .null, "httpHeaders": [:],
                "httpStatusCode": .integer(Int64(refusal.status)), "referenceId": .string(reference),
            ]
        }
        let all = parts.compactMap { answers[$0["referenceId"]?.string ?? ""] }
        reply.body = JSONValue.object(["compositeResponse": .array(all)]).compactBytes
        return reply
    }

    private func perform(_ request: ServiceRequest, _ edits: [EditText]) -> RESTReply {
        let again = Set(
            edits.compactMap { edit -> String? in
                guard case .upsert(_, let value, _) = edit.write, run.org.hasDeleted(external: value) else {
                    return nil
                }
                return value
            })
        let answer = run.org.answer(request, at: run.orgNow)
        let reply = RESTReply(
            status: answer.response.status, headers: answer.response.headers, body: answer.response.body)
        if reply.status >= 400 { run.trace("the org answers \(device.name) with \(reply.status)") }
        for (edit, status, body) in EditText.outcomes(edits, reply) where (200..<300).contains(status) {
            accepted(edit, created: status == 201, body, again)
        }
        run.pushService.send(answer.pushes)
        return reply
    }

    private func accepted(_ edit: EditText, created: Bool, _ body: JSONValue?, _ again: Set<String>) {
        var wasNew = created
        let id = body?.object?["id"]?.string.flatMap { RecordID($0) }
        if case .upsert(_, let value, _) = edit.write {
            if again.contains(value) { wasNew = false }
            if let id { run.org.created(id, external: value) }
        }
        device.audit.edits.accepted(
            edit.write, id: id, wasNew: wasNew, overwrites: Call.current?.overwrites ?? false)
        switch edit.write {
        case .create, .upsert: if let id { run.automate(id, of: edit.object) }
        case .update(let id, _, _): run.automate(id, of: edit.object)
        case .delete: break
        }
    }
}

extension EditText {
    /// The status and body of each change's answer.
    fileprivate static func outcomes(
        _ edits: [EditText], _ reply: RESTReply
    ) -> [(edit: EditText, status: Int, body: JSONValue?)] {
        guard let first = edits.first else { return [] }
        if first.reference.isEmpty { return [(first, reply.status, value(reply.body))] }
        let answers = value(reply.body)?.object?["compositeResponse"]?.array?.compactMap(\.object) ?? []
        return edits.compactMap { edit in
            guard let answer = answers.first(where: { $0["referenceId"]?.string == edit.reference }),
                case .integer(let status)? = answer["httpStatusCode"]
            else { return nil }
            return (edit, Int(status), answer["body"])
        }
    }
}

extension RESTReply {
    /// A refusal as the org writes it.
    static func refusal(_ status: Int, _ code: String) -> RESTReply {
        let error: JSONValue = ["errorCode": .string(code), "message": "a fault"]
        return RESTReply(
            status: status, headers: ["content-type": "application/json"], body: JSONValue.array([error]).compactBytes)
    }
}

extension ServiceRequest {
    fileprivate init(_ message: URLRequest) {
        let address = message.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }
        self.init(
            message.httpMethod ?? "GET", address?.percentEncodedPath ?? "", query: address?.percentEncodedQuery ?? "",
            headers: Dictionary(
                (message.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) },
                uniquingKeysWith: { first, _ in first }),
            body: message.httpBody.map { Array($0) } ?? [])
    }

    fileprivate var accessToken: String? {
        headers["authorization"].flatMap { $0.split(separator: " ").last.map(String.init) }
    }
}
