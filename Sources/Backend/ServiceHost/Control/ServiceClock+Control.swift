import APNSModel
package import PushDispatch

/// What control APIs have in common.
extension ServiceRequest {
    package static let defaultLimit = 1_000
    package static let maximumLimit: Int64 = 100_000

    package func controlBody() throws(ControlProblem) -> JSONValue {
        do throws(JSONReadError) {
            return try JSONReader.read(
                body, limits: JSONLimits(maximumBytes: WireLimits.body, maximumDepth: 16, maximumValues: 10_000))
        } catch {
            throw .bad("the body is \(error)")
        }
    }

    /// The value of a parameter that says how many; 1,000 where it is absent.
    package func limit(_ name: String = "limit") throws(ControlProblem) -> Int {
        guard let text = parameter(name) else { return ServiceRequest.defaultLimit }
        guard let limit = Int64(text), (0...ServiceRequest.maximumLimit).contains(limit) else {
            throw .bad(
                "\(name) is \(ShownText.quoted(text)); a number from 0 to \(ServiceRequest.maximumLimit) is wanted")
        }
        return Int(limit)
    }
}

extension ServiceClock {
    private enum Mode: String, CaseIterable { case real, manual }

    /// `{"mode":"real|manual","now":…}`
    package func json(_ real: Int64) -> JSONValue {
        ["mode": isManual ? "manual" : "real", "now": .string(TimeText.text(now(real: real)))]
    }

    /// `PUT /api/clock`
    package mutating func set(_ request: ServiceRequest, real: Int64) throws(ControlProblem) -> ServiceResponse {
        var members = try ControlMembers(request.controlBody(), "the body")
        let mode = try members.word("mode", Mode.self)
        let time = try members.time("now")
        try members.finish()
        set(isManual: mode.map { $0 == .manual } ?? isManual, to: time, real: real)
        return .json(json(real).compactBytes)
    }

    /// `POST /api/clock/advance`
    package mutating func advance(_ request: ServiceRequest, real: Int64) throws(ControlProblem) -> ServiceResponse {
        var members = try ControlMembers(request.controlBody(), "the body")
        let longest = ServiceClock.range.upperBound
        guard let duration = try members.duration("by", in: -longest...longest) else {
            throw .bad("by is missing: \(TimeText.durationForm)")
        }
        try members.finish()
        advance(by: duration, real: real)
        return .json(json(real).compactBytes)
    }
}

extension PathFaults {
    /// `GET /api/faults`
    package var listed: ServiceResponse { .json([("faults", .array(rules.map(\.json)))]) }

    /// `POST /api/faults`
    package mutating func add(_ request: ServiceRequest) throws(ControlProblem) -> ServiceResponse {
        guard let id = add(try PathFault(json: request.controlBody())) else {
            throw .bad("there are already \(Self.maximumRules) fault rules; remove some")
        }
        return .json([("id", .string(id))], status: 201)
    }

    /// `DELETE /api/faults/{id}`
    package mutating func delete(_ id: String) throws(ControlProblem) -> ServiceResponse {
        guard remove(id) else { throw ControlProblem(404, "there is no fault rule with this id") }
        return .noContent
    }
}

extension ControlProblem {
    /// For a path of the control API that has other methods, or none.
    ///
    /// - Parameter found: The operations of the path.
    package static func unknown<ID>(_ request: ServiceRequest, _ found: [ControlOperation<ID>]) -> ControlProblem {
        guard let first = found.first else {
            return ControlProblem(
                404,
                "there is no \(ShownText.quoted(request.path)); there are the vendor's paths and those that "
                    + "GET /openapi.json lists")
        }
        var problem = ControlProblem(
            405,
            "\(ShownText.quoted(request.method, to: 16)) is not allowed for \(first.path); "
                + found.map(\.method).joined(separator: ", ") + " is")
        problem.allow = found.map(\.method)
        return problem
    }
}

extension ControlOperation {
    /// Throws for a parameter of the query that the operation does not have.
    package func checkParameters(of request: ServiceRequest) throws(ControlProblem) {
        let known = parameters.filter { !$0.isInPath }.map(\.name)
        guard let name = FormText.names(in: request.query).first(where: { !known.contains($0) }) else { return }
        let there = known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))"
        throw .bad("\(method) \(path) has no parameter \(ShownText.quoted(name)); \(there)")
    }
}
