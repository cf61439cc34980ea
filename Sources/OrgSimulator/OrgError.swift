/// Why the org refuses a call, in the words of its REST interface (selective-sync.md 6.6).
package struct OrgError: Error, Hashable, Sendable, CustomStringConvertible {
    package let status: Int
    package let code: String
    package let message: String
    /// The fields at fault; left out of the answer where there are none.
    package var fields: [String] = []

    package var description: String { "\(code): \(message)" }

    static func invalidField(_ field: String, of object: String) -> OrgError {
        OrgError(
            status: 400, code: "INVALID_FIELD", message: "No such column '\(field.prefix(80))' on entity '\(object)'.",
            fields: [String(field.prefix(80))])
    }

    static func notWritable(_ field: String) -> OrgError {
        OrgError(
            status: 400, code: "INVALID_FIELD_FOR_INSERT_UPDATE",
            message: "\(field) is set by the org and cannot be written.", fields: [field])
    }

    static func wrongValue(_ field: String, _ wanted: String) -> OrgError {
        OrgError(status: 400, code: "INVALID_TYPE", message: "\(field) has to be \(wanted).", fields: [field])
    }

    static func tooLong(_ field: String, maximum: Int) -> OrgError {
        OrgError(
            status: 400, code: "STRING_TOO_LONG", message: "\(field) takes \(maximum) characters.", fields: [field])
    }

    static let invalidSession = OrgError(
        status: 401, code: "INVALID_SESSION_ID", message: "Session expired or invalid")

    static let noResource = OrgError(
        status: 404, code: "NOT_FOUND", message: "The requested resource does not exist")

    static func noRecord(_ object: String) -> OrgError {
        OrgError(status: 404, code: "NOT_FOUND", message: "No \(object) has this id.")
    }

    static func parser(_ message: String) -> OrgError {
        OrgError(status: 400, code: "JSON_PARSER_ERROR", message: message)
    }

    static func malformedID(_ problem: String) -> OrgError {
        OrgError(status: 400, code: "MALFORMED_ID", message: "An id \(problem).")
    }

    static func tooManyIDs(_ count: Int, maximum: Int) -> OrgError {
        OrgError(
            status: 400, code: "EXCEEDED_ID_LIMIT", message: "\(count) ids in one call; it takes \(maximum).")
    }
}
