package import PushDispatch

/// The OpenAPI 3.1 document of a control API.
package enum ControlOpenAPI {
    /// - Parameter needsToken: Whether clients have to send the control token.
    package static func document<ID>(
        _ operations: [ControlOperation<ID>], title: String, description: String, needsToken: Bool
    ) -> JSONValue {
        var paths: [String: [String: JSONValue]] = [:]
        for operation in operations {
            var item = item(operation)
            if needsToken, operation.path == "/health" { item["security"] = [[:], ["controlToken": []]] }
            paths[operation.path, default: [:]][operation.method.lowercased()] = .object(item)
        }
        var components: [String: JSONValue] = [
            "schemas": [
                "Problem": [
                    "type": "object", "required": ["type", "title", "status", "detail"],
                    "properties": [
                        "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
                        "detail": ["type": "string"],
                    ],
                ]
            ]
        ]
        var document: [String: JSONValue] = [
            "openapi": "3.1.0", "servers": [["url": "/"]], "paths": .object(paths.mapValues { .object($0) }),
            "info": [
                "title": .string(title), "version": "1", "description": .string(description),
            ],
        ]
        if needsToken {
            components["securitySchemes"] = ["controlToken": ["type": "http", "scheme": "bearer"]]
            document["security"] = [["controlToken": []]]
        }
        document["components"] = .object(components)
        return .object(document)
    }

    private static func item<ID>(_ operation: ControlOperation<ID>) -> [String: JSONValue] {
        var item: [String: JSONValue] = [
            "operationId": .string(operation.id.rawValue), "summary": .string(operation.summary),
        ]
        if !operation.parameters.isEmpty {
            item["parameters"] = .array(
                operation.parameters.map { parameter in
                    [
                        "name": .string(parameter.name), "in": parameter.isInPath ? "path" : "query",
                        "required": .bool(parameter.isInPath), "description": .string(parameter.why),
                        "schema": ["type": parameter.isNumber ? "integer" : "string"],
                    ]
                })
        }
        if let body = operation.body {
            item["requestBody"] = ["required": true, "content": ["application/json": ["schema": body]]]
        }
        var response: [String: JSONValue] = ["description": operation.contentType == nil ? "Done." : "The answer."]
        if let type = operation.contentType {
            let isJSON = type == "application/json"
            let schema: JSONValue =
                isJSON ? ["type": "object", "properties": .object(operation.answer)] : ["type": "string"]
            response["content"] = [type: ["schema": schema]]
        }
        let problem: JSONValue = [
            "description": "What is wrong, and what to do.",
            "content": ["application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]],
        ]
        item["responses"] = ["\(operation.status)": .object(response), "default": problem]
        return item
    }
}
