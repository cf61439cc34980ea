import APNSModel

/// An error of the REST interface (docs/reference/selective-sync.md 6.6).
package struct OrgError: Error, Hashable, Sendable, CustomStringConvertible {
    package let status: Int
    package let code: String
    package let message: String
    /// The fields that caused the error; omitted from the answer if empty.
    package var fields: [String] = []

    package var description: String { "\(code): \(message)" }

    static func invalidField(_ field: String, of object: String) -> OrgError {
        OrgError(
            status: 400, code: "INVALID_FIELD",
            message: "No such column '\(ShownText.cut(field, to: 80))' on entity '\(object)'.",
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

    /// - Parameter id: As the call has it.
    static func malformedID(_ id: String, _ problem: String) -> OrgError {
        OrgError(status: 400, code: "MALFORMED_ID", message: "The id \(ShownText.quoted(id, to: 20)) \(problem).")
    }

    static func tooManyIDs(_ count: Int, maximum: Int) -> OrgError {
        OrgError(
            status: 400, code: "EXCEEDED_ID_LIMIT", message: "\(count) ids in one call; it takes \(maximum).")
    }

    static func deleted(_ object: String) -> OrgError {
        OrgError(status: 404, code: "ENTITY_IS_DELETED", message: "The \(object) with this id is deleted.")
    }

    /// The limit error that a trigger cannot catch, so the save fails.
    static func tooManyPushCalls(_ count: Int) -> OrgError {
        OrgError(
            status: 400, code: "CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY",
            message: "System.LimitException: Too many mobile push Apex calls: \(count)")
    }

    static let callLimit = OrgError(
        status: 403, code: "REQUEST_LIMIT_EXCEEDED", message: "TotalRequests Limit exceeded.")

    static func malformedQuery(_ message: String) -> OrgError {
        OrgError(status: 400, code: "MALFORMED_QUERY", message: message)
    }

    static let invalidLocator = OrgError(
        status: 400, code: "INVALID_QUERY_LOCATOR", message: "invalid query locator")

    static func unknownObject(_ name: Substring) -> OrgError {
        OrgError(
            status: 400, code: "INVALID_TYPE",
            message: "sObject type '\(ShownText.cut(String(name), to: 80))' is not supported.")
    }

    static func invalidFilter(_ message: String, field: String) -> OrgError {
        OrgError(status: 400, code: "INVALID_FIELD", message: message, fields: [field])
    }

    static func replicationDate(_ message: String) -> OrgError {
        OrgError(status: 400, code: "INVALID_REPLICATION_DATE", message: message)
    }

    static let preconditionFailed = OrgError(
        status: 412, code: "PRECONDITION_FAILED",
        message: "The record was changed after the date in If-Unmodified-Since.")

    static func storageLimit(_ what: String) -> OrgError {
        OrgError(status: 400, code: "STORAGE_LIMIT_EXCEEDED", message: "The org holds \(what).")
    }

    static func method(_ method: String, allowed: String) -> OrgError {
        OrgError(
            status: 405, code: "METHOD_NOT_ALLOWED",
            message: "\(ShownText.cut(method, to: 16)) is not allowed here; allowed: \(allowed)")
    }
}
