import GatewayCore
import PayloadJSON

/// A refusal of the control API: problem details as in RFC 9457.
struct Problem: Error, Hashable, Sendable {
    let status: Int
    let title: String
    /// What to do, in a sentence.
    let detail: String
    /// The methods that a path knows; goes into the header `allow` with status 405.
    var allowed: [String] = []

    init(_ status: Int, _ title: String, _ detail: String) {
        self.status = status
        self.title = title
        self.detail = detail
    }

    static func badRequest(_ detail: String) -> Problem { Problem(400, "The request cannot be read", detail) }

    static func noDevice(_ shortened: String) -> Problem {
        Problem(
            404, "No such device",
            "no device has the device token \(shortened) in this environment; register it with POST /api/devices, or "
                + "name another ?environment=")
    }

    static func noFault(_ id: String) -> Problem {
        Problem(
            404, "No such fault rule",
            "there is no fault rule \(JSONWriter.quoted(String(id.prefix(64)))): it never was, or it is used up or over; "
                + "GET /api/faults lists those there are")
    }

    static func methodNotAllowed(_ method: String, _ allowed: [String]) -> Problem {
        var problem = Problem(
            405, "Method not allowed",
            "\(String(method.prefix(16))) is not for this path; it knows \(allowed.joined(separator: ", "))")
        problem.allowed = allowed
        return problem
    }

    var json: JSONText {
        .object { object in
            object.add("type", "about:blank")
            object.add("title", title)
            object.add("status", status)
            object.add("detail", detail)
        }
    }
}

extension Problem {
    init(_ fault: RegistrationFault) {
        switch fault {
        case .deviceTokenTaken: self.init(409, "The device token is taken", fault.description)
        case .tokenReplaced: self.init(409, "The device token was replaced", fault.description)
        case .full: self.init(507, "The gateway is full", fault.description + "; POST /api/reset makes room")
        case .badTopic, .badDeviceToken, .kindNotForTopic, .incomplete, .noChannel:
            self.init(400, "It cannot be registered", fault.description)
        }
    }
}
