import APNSModel
package import PushDispatch
package import SelectiveSync
package import ServiceHost

/// The org's REST interface without a server (docs/reference/selective-sync.md 6): takes a call, and returns an answer
/// and the pushes that the call caused.
package struct OrgREST: Sendable {
    package static let maximumAddressBytes = 16_384
    package static let maximumBodyBytes = 1_048_576
    package static let maximumReplyBytes = 33_554_432
    package static let maximumIDs = 2_000
    /// Limits the size of an answer, which repeats every field name for each record.
    package static let maximumFields = 500

    /// The users of access tokens that need no log-in and do not expire. The caller may add and remove entries at any
    /// time.
    package var sessions: [String: RecordID]
    let makeToken: OrgAccess.MakeToken

    /// - Parameter makeToken: Makes access and refresh tokens. The default makes the same tokens in every run, for
    ///   simulations; a server uses random ones.
    package init(
        sessions: [String: RecordID] = [:],
        makeToken: @escaping OrgAccess.MakeToken = {
            "00Dxx!" + String(SeededGenerator.mix($0), radix: 36) + String(SeededGenerator.mix(~$0), radix: 36)
        }
    ) {
        self.sessions = sessions
        self.makeToken = makeToken
    }

    package struct Answer: Hashable, Sendable {
        package internal(set) var response: ServiceResponse
        /// The pushes that the call caused.
        package internal(set) var pushes: [OutgoingPush]
        /// How long a fault delays the answer, in milliseconds.
        package internal(set) var delay: Int64 = 0
        /// The number of bytes of the answer's body after which a fault breaks the connection; −1 is before the answer,
        /// nil is never.
        package internal(set) var disconnectsAfter: Int?

        init(_ response: ServiceResponse, pushes: [OutgoingPush] = []) {
            self.response = response
            self.pushes = pushes
        }
    }

    package func answer(_ request: ServiceRequest, _ org: inout Org, at now: ServerDate) -> Answer {
        var answer: Answer
        do throws(OrgError) {
            try checkSize(request)
            answer = try answerWithFaults(request, &org, now)
        } catch {
            answer = Answer(.refusal(error))
        }
        answer.response.headers["date"] = now.httpDate
        return answer
    }

    private func checkAddress(_ request: ServiceRequest) throws(OrgError) {
        let maximum = OrgREST.maximumAddressBytes
        guard request.addressBytes <= maximum else {
            throw OrgError(
                status: 414, code: "URI_TOO_LONG",
                message: "The address has more than \(maximum) bytes; make it shorter, or use a call that takes a body."
            )
        }
    }

    private func checkSize(_ request: ServiceRequest) throws(OrgError) {
        let maximum = OrgREST.maximumAddressBytes
        try checkAddress(request)
        guard request.headBytes <= maximum else {
            throw OrgError(
                status: 431, code: "REQUEST_HEADER_FIELDS_TOO_LARGE",
                message: "Address and headers have more than \(maximum) bytes; use POST.")
        }
        guard request.body.count <= OrgREST.maximumBodyBytes else {
            throw OrgError(
                status: 413, code: "REQUEST_TOO_LARGE",
                message: "The body has more than \(OrgREST.maximumBodyBytes) bytes.")
        }
    }

    // MARK: Faults

    private func answerWithFaults(_ request: ServiceRequest, _ org: inout Org, _ now: ServerDate) throws(OrgError)
        -> Answer
    {
        let session = session(of: request, org, now)
        guard let (id, effect) = org.faults.hit(request, session?.user, at: now) else {
            return try answer(request, session, nil, &org, now)
        }
        org.log.add("FAULT", ["fault": .string(id), "path": .string(ShownText.cut(request.path, to: 200))], at: now)
        switch effect {
        case .refuse(let status, let code):
            throw OrgError(status: status, code: code, message: "A fault rule answers so.")
        case .reachLimit: throw .callLimit
        case .expireToken:
            OrgREST.accessToken(of: request).map { org.access.expire($0) }
            throw .invalidSession
        case .revokeRefreshToken: request.formParameter("refresh_token").map { org.access.revoke($0) }
        case .losePage:
            if case .nextPage(let locator)? = OrgRoute.read(request.path)?.route {
                org.cursors.close(OrgREST.cursor(locator).name)
            }
        case .disconnect(afterBytes: nil):
            var answer = Answer(.noContent)
            answer.disconnectsAfter = -1
            return answer
        case .delay, .disconnect, .hideField: break
        }
        var hidden: HiddenField?
        if case .hideField(let object, let field) = effect { hidden = HiddenField(object, field) }
        var answer = catchingErrors(request) { () throws(OrgError) in
            try self.answer(request, session, hidden, &org, now)
        }
        if case .delay(let range) = effect { answer.delay = range.lowerBound }
        if case .disconnect(let bytes) = effect { answer.disconnectsAfter = bytes }
        return answer
    }

    // MARK: Authorization

    private static func accessToken(of request: ServiceRequest) -> String? {
        let words = (request.headers["authorization"] ?? "").split(separator: " ")
        return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
    }

    private func session(of request: ServiceRequest, _ org: Org, _ now: ServerDate) -> OrgAccess.Session? {
        guard let token = OrgREST.accessToken(of: request) else { return nil }
        if let user = sessions[token], !org.access.isExpired(token) {
            return OrgAccess.Session(user: user, grant: nil, expires: nil)
        }
        return org.access.session(token, at: now)
    }

    private func answer(
        _ request: ServiceRequest, _ session: OrgAccess.Session?, _ hidden: HiddenField?, _ org: inout Org,
        _ now: ServerDate
    ) throws(OrgError) -> Answer {
        switch request.path {
        case OrgRoute.tokenPath: return Answer(refresh(request, &org, now))
        case OrgRoute.revokePath: return Answer(revoke(request, &org))
        default: break
        }
        guard let session else { throw .invalidSession }
        let limit = org.settings.dailyCalls
        guard org.usage.calls(at: now) < limit else { throw .callLimit }
        org.usage.addCalls(1, at: now)
        var call = OrgCall(request: request, user: session.user, grant: session.grant, now: now)
        call.hidden = hidden
        var answer = perform(call, &org)
        answer.response.headers["sforce-limit-info"] = "api-usage=\(org.usage.calls(at: now))/\(limit)"
        return answer
    }

    // MARK: Routing

    /// Performs one call, or one request of a composite call.
    func perform(_ call: OrgCall, _ org: inout Org) -> Answer {
        catchingErrors(call.request) { () throws(OrgError) in
            // The address of a subrequest comes in a body, which may be longer.
            try checkAddress(call.request)
            return try route(call, &org)
        }
    }

    private func catchingErrors(_ request: ServiceRequest, _ work: () throws(OrgError) -> Answer) -> Answer {
        do throws(OrgError) {
            return try work()
        } catch {
            let methods = error.status == 405 ? OrgRoute.read(request.path)?.route.methods : nil
            return Answer(.refusal(error, allowing: methods?.joined(separator: ", ")))
        }
    }

    private func route(_ original: OrgCall, _ org: inout Org) throws(OrgError) -> Answer {
        var call = original
        guard let (route, version) = OrgRoute.read(call.request.path) else { throw .noResource }
        call.version = version
        let method = call.request.method
        guard route.methods.contains(method) else {
            throw .method(method, allowed: route.methods.joined(separator: ", "))
        }
        switch route {
        case .collectionFetch(let object): return try fetch(object, call, org)
        case .collectionWrite: return try writeCollection(call, &org)
        case .create(let object): return try create(object, call, &org)
        case .record(let object, let id):
            switch method {
            case "GET": return try read(id, of: object, call, org)
            case "DELETE": return try delete(id, of: object, call, &org)
            default: return try change(id, of: object, call, &org)
            }
        case .external(let name):
            return method == "GET" ? try read(name, call, org) : try upsert(name, call, &org)
        case .updated(let object): return try updated(object, call, org)
        case .deleted(let object): return try deleted(object, call, org)
        case .query(let isAll): return try query(call, isAll: isAll, &org)
        case .nextPage(let locator): return try nextPage(locator, call, &org)
        case .composite: return try composite(call, &org)
        case .batch: return try batch(call, &org)
        case .push: return try push(call, org)
        case .notices: return method == "GET" ? try notices(call, org) : try markNotices(nil, call, &org)
        case .notice(let id): return method == "GET" ? try notice(id, call, org) : try markNotices(id, call, &org)
        case .noticeStatus: return noticeStatus(call, org)
        case .noticeTypes: return try noticeTypes(call, org)
        case .noticeAction(let id, let key): return try takeAction(key, on: id, call, &org)
        case .sendNotices: return try sendNotices(call, &org)
        case .limits:
            let limit = org.settings.dailyCalls
            let left = max(0, limit - org.usage.calls(at: call.now))
            return Answer(
                .json([
                    ("DailyApiRequests", ["Max": .integer(Int64(limit)), "Remaining": .integer(Int64(left))])
                ]))
        }
    }

    static func object(in request: ServiceRequest) throws(OrgError) -> [String: JSONValue] {
        let kind = (request.headers["content-type"] ?? "").split(separator: ";").first ?? ""
        guard kind.lowercased() == "application/json" else {
            throw OrgError(
                status: 415, code: "UNSUPPORTED_MEDIA_TYPE", message: "The content type has to be application/json.")
        }
        let value: JSONValue
        do throws(JSONReadError) {
            value = try JSONReader.read(
                request.body,
                limits: JSONLimits(maximumBytes: maximumBodyBytes, maximumDepth: 16, maximumValues: 100_000))
        } catch {
            throw .parser("The body is \(error).")
        }
        guard let members = value.object else {
            throw .parser("The body is \(value.kindInWords); an object is wanted.")
        }
        return members
    }
}
