package import PushDispatch

/// One method of one path of a control API. The answers to unknown paths and methods and the OpenAPI document are made
/// from the list of them.
package struct ControlOperation<ID: RawRepresentable<String> & Hashable & Sendable>: Sendable {
    package struct Parameter: Sendable {
        package let name: String
        package let why: String
        package var isNumber = false
        package var isInPath = false

        package init(name: String, why: String, isNumber: Bool = false, isInPath: Bool = false) {
            self.name = name
            self.why = why
            self.isNumber = isNumber
            self.isInPath = isInPath
        }

        package static func limit(_ why: String) -> Parameter {
            Parameter(name: "limit", why: why + "; 0 to 100000, 1000 when absent", isNumber: true)
        }

        package static func identifier(_ why: String) -> Parameter { Parameter(name: "id", why: why, isInPath: true) }
    }

    package let method: String
    /// Such as `/api/individuals/{id}`.
    package let path: String
    /// The operation id, which generated clients use as its name.
    package let id: ID
    package let summary: String
    package var parameters: [Parameter]
    /// The schema of the body; nil for a request without one.
    package var body: JSONValue?
    package var status: Int
    package var contentType: String?
    /// The members of the answer and their types.
    package var answer: [String: JSONValue]

    package init(
        method: String, path: String, id: ID, summary: String, parameters: [Parameter] = [], body: JSONValue? = nil,
        status: Int = 200, contentType: String? = "application/json", answer: [String: JSONValue] = [:]
    ) {
        self.method = method
        self.path = path
        self.id = id
        self.summary = summary
        self.parameters = parameters
        self.body = body
        self.status = status
        self.contentType = contentType
        self.answer = answer
    }

    /// What stands before the parameter of the path; nil for a path without one.
    private var prefix: Substring? { path.hasSuffix("{id}") ? path.dropLast("{id}".count) : nil }

    package func matches(_ asked: String) -> Bool {
        guard let prefix else { return path == asked }
        return asked.hasPrefix(prefix) && asked.utf8.count > prefix.utf8.count
    }

    /// The parameter of the path, percent-encoded; empty where there is none.
    package func argument(in asked: String) -> String { prefix.map { String(asked.dropFirst($0.count)) } ?? "" }
}

/// Schemas of control APIs.
package enum ControlSchema {
    package static let integer: JSONValue = ["type": "integer"]
    package static let object: JSONValue = ["type": "object"]
    package static let string: JSONValue = ["type": "string"]
    package static let objects: JSONValue = ["type": "array", "items": ["type": "object"]]
    package static let clock: [String: JSONValue] = [
        "mode": ["type": "string", "enum": ["real", "manual"]], "now": ["type": "string", "format": "date-time"],
    ]

    package static func object(_ properties: [String: JSONValue], required: [JSONValue] = []) -> JSONValue {
        [
            "type": "object", "properties": .object(properties), "required": .array(required),
            "additionalProperties": false,
        ]
    }

    /// - Parameter paths: The words for `match.path`.
    package static func fault(paths: [String]) -> JSONValue {
        object(
            [
                "match": object(["path": ["type": "string", "enum": .array(paths.map { .string($0) })]]),
                "effect": object([
                    "status": ["type": "integer", "minimum": 400, "maximum": 599], "retry-after": string,
                    "delay": string, "lose-answer": ["const": true], "silence": ["const": true],
                ]), "count": ["type": "integer", "minimum": 1, "maximum": 1_000_000_000],
                "probability": ["type": "number", "minimum": 0, "maximum": 1],
            ], required: ["effect"])
    }
}
