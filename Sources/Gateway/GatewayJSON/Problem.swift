import APNSModel
package import GatewayCore
package import PayloadJSON

/// An error answer of the control API: problem details as in RFC 9457.
package struct Problem: Error, Hashable, Sendable {
    package let status: Int
    /// The same for every problem of a kind.
    package let title: String
    /// What is wrong and what to do, in a sentence.
    package let detail: String
    /// The JSON pointer of the member of the body that is wrong.
    package var pointer: String?
    /// The query parameter that is wrong.
    package var parameter: String?
    /// The methods that a path supports, for the header `allow` of status 405.
    package var allowed: [String] = []

    package init(_ status: Int, _ title: String, _ detail: String, pointer: String? = nil, parameter: String? = nil) {
        self.status = status
        self.title = title
        self.detail = detail
        self.pointer = pointer
        self.parameter = parameter
    }

    /// The kind of problem, for programs: a URN derived from the title, such as
    /// `urn:apns-toolkit:problem:no-such-device`.
    package var type: String {
        "urn:apns-toolkit:problem:" + title.lowercased().split(separator: " ").joined(separator: "-")
    }

    package static func badRequest(_ detail: String, pointer: String? = nil) -> Problem {
        Problem(400, "The request cannot be read", detail, pointer: pointer)
    }

    /// - Parameter wanted: Continues "the query parameter …", as in "must be a number".
    package static func badParameter(_ name: String, _ wanted: String) -> Problem {
        Problem(
            400, "The request cannot be read", "the query parameter \"\(ShownText.cut(name, to: 64))\" \(wanted)",
            parameter: String(name.prefix(64)))
    }

    package static func noDevice(_ shortened: String) -> Problem {
        Problem(
            404, "No such device",
            "no device has the device token \(shortened) in this environment; register it with POST /api/devices, or "
                + "name another ?environment=")
    }

    package static func noFault(_ id: String) -> Problem {
        Problem(
            404, "No such fault rule",
            "there is no fault rule \(Problem.quoted(id)): it never existed or has ended; GET /api/faults lists "
                + "the active rules")
    }

    package static func otherWorld(_ wanted: WorldName, than own: WorldName) -> Problem {
        Problem(
            400, "A rule of another world",
            "a rule added here belongs to the world \(own); send it to /w/\(wanted)/api/faults, or leave out \"world\"",
            pointer: "/match/world")
    }

    package static let notStored = Problem(
        503, "It cannot be stored",
        "the store of the gateway cannot be written, so nothing was changed; free space on its disk and try again")
    package static func noWebhook(_ id: String) -> Problem {
        Problem(
            404, "No such webhook", "there is no webhook \(Problem.quoted(id)); GET /api/webhooks lists all"
        )
    }

    package static func noWorld(_ name: String) -> Problem {
        Problem(
            404, "No such world",
            "there is no world \(Problem.quoted(name)) at the moment; GET /api/worlds lists all, and "
                + "POST /api/worlds, any POST below /w/{name} or a sender creates one")
    }

    package static func badWorldName(_ name: String, pointer: String? = nil) -> Problem {
        Problem(
            400, "Bad world name",
            "\(Problem.quoted(name)) cannot be the name of a world: \(WorldName.form), so that it can be a host name",
            pointer: pointer)
    }

    package static let notFound = Problem(
        404, "Not found", "there is nothing at this path; GET /api lists all paths")

    package static func methodNotAllowed(_ method: String, _ operations: [String]) -> Problem {
        let allowed = operations.flatMap { $0 == "GET" ? [$0, "HEAD"] : [$0] }
        var problem = Problem(
            405, "Method not allowed",
            "\(ShownText.cut(method, to: 16)) is not supported here; use \(allowed.joined(separator: ", "))")
        problem.allowed = allowed
        return problem
    }

    private static func quoted(_ text: String) -> String { JSONWriter.quoted(ShownText.cut(text, to: 64)) }

    package var json: JSONText {
        .object { object in
            object.add("type", type)
            object.add("title", title)
            object.add("status", status)
            object.add("detail", detail)
            object.addIfAny("pointer", pointer)
            object.addIfAny("parameter", parameter)
        }
    }
}

extension Problem {
    package init(_ fault: RegistrationError) {
        switch fault {
        case .deviceTokenTaken: self.init(409, "The device token is taken", fault.description, pointer: "/token")
        case .tokenReplaced: self.init(409, "The device token was replaced", fault.description)
        case .full(let what, _):
            let remedy = what == RegistrationError.faultRules ? "DELETE /api/faults" : "POST /api/reset"
            self.init(507, "The gateway is full", "\(fault.description); \(remedy) makes room")
        case .memoryFull:
            self.init(
                507, "The gateway is full",
                "\(fault.description); remove worlds, devices or channels, or start it with more memory")
        case .badTopic, .kindNotForTopic: self.init(400, Problem.refused, fault.description, pointer: "/topic")
        case .badDeviceToken: self.init(400, Problem.refused, fault.description, pointer: "/token")
        case .noChannel: self.init(400, Problem.refused, fault.description, pointer: "/channels")
        case .incomplete: self.init(400, Problem.refused, fault.description)
        }
    }

    private static let refused = "It cannot be registered"
}
