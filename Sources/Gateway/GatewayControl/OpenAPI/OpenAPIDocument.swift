import APNSPayload

/// The OpenAPI 3.1 document of the control API, derived from the operations that the router uses.
enum OpenAPIDocument {
    /// - Parameter needsToken: Whether clients have to send the control token.
    static func json(needsToken: Bool) -> [UInt8] { needsToken ? withToken : withoutToken }

    private static let withToken = document(needsToken: true).encoded()
    private static let withoutToken = document(needsToken: false).encoded()

    private static let bearer = "controlToken"

    static func document(needsToken: Bool) -> PayloadValue {
        var document: [String: PayloadValue] = [
            "openapi": "3.1.0", "info": info, "servers": servers, "paths": .object(paths),
        ]
        var components: [String: PayloadValue] = ["schemas": .object(ControlSchema.components.mapValues(\.json))]
        if needsToken {
            components["securitySchemes"] = [
                bearer: ["type": "http", "scheme": "bearer", "description": "The control token of the gateway."]
            ]
            document["security"] = [[bearer: []]]
        }
        document["components"] = .object(components)
        return .object(document)
    }

    private static let info: PayloadValue = [
        "title": "Gateway simulator, control API",
        "version": "1",
        "description": """
        Inspects and configures a gateway simulator for APNs. Every path that does not concern the gateway as a \
        whole also exists below /w/{world}, for the world of that name. A sender or a POST creates the world; another \
        method answers 404 until then. Errors are problem details (RFC 9457).
        """,
    ]

    private static let servers: PayloadValue = [
        ["url": "/", "description": "The default world."],
        [
            "url": "/w/{world}", "description": "A named world.",
            "variables": ["world": ["default": .string("default")]],
        ],
    ]

    private static var paths: [String: PayloadValue] {
        var paths: [String: [String: PayloadValue]] = [:]
        for operation in ControlOperation.all {
            var path = paths[operation.path] ?? [:]
            path[operation.method.lowercased()] = item(operation)
            if operation.isOfGateway { path["servers"] = [["url": "/"]] }
            let arguments = operation.arguments
            if !arguments.isEmpty { path["parameters"] = .array(arguments.map { pathParameter($0) }) }
            paths[operation.path] = path
        }
        return paths.mapValues { .object($0) }
    }

    private static func item(_ operation: ControlOperation) -> PayloadValue {
        var item: [String: PayloadValue] = [
            "operationId": .string(operation.id), "summary": .string(operation.summary),
        ]
        if !operation.parameters.isEmpty {
            item["parameters"] = .array(
                operation.parameters.map {
                    [
                        "name": .string($0.name), "in": .string($0.place.rawValue), "required": .boolean($0.isRequired),
                        "description": .string($0.why), "schema": $0.schema.json,
                    ]
                })
        }
        if let body = operation.body {
            item["requestBody"] = [
                "required": .boolean(operation.needsBody), "content": ["application/json": ["schema": body.json]],
            ]
        }
        var answers: [String: PayloadValue] = [:]
        for answer in operation.answers + common(operation) where answers["\(answer.status)"] == nil {
            var response = response(answer)
            if answer.status == 201 {
                response["headers"] = ["location": ["description": "Its path.", "schema": ["type": "string"]]]
                let links = links(from: operation)
                if !links.isEmpty { response["links"] = .object(links) }
            }
            answers["\(answer.status)"] = .object(response)
        }
        item["responses"] = .object(answers)
        return .object(item)
    }

    private static func response(_ answer: ControlOperation.Answer) -> [String: PayloadValue] {
        var response: [String: PayloadValue] = ["description": .string(answer.why)]
        if let contentType = answer.contentType {
            response["content"] = [contentType: ["schema": answer.schema?.json ?? ["type": "string"]]]
        }
        return response
    }

    /// The operations on an object that was just created, each under its operation id.
    private static func links(from operation: ControlOperation) -> [String: PayloadValue] {
        guard let made = operation.makes else { return [:] }
        var links: [String: PayloadValue] = [:]
        for one in ControlOperation.all where one.path == made.path || one.path.hasPrefix(made.path + "/") {
            var parameters: [String: PayloadValue] = [
                "path.\(made.argument)": .string("$response.body#/\(made.member)")
            ]
            if one.parameters.contains(where: { $0.name == "environment" }) {
                parameters["query.environment"] = "$response.body#/environment"
            }
            links[one.id] = ["operationId": .string(one.id), "parameters": .object(parameters)]
        }
        return links
    }

    /// Answers that are possible for every request.
    private static func common(_ operation: ControlOperation) -> [ControlOperation.Answer] {
        var answers: [ControlOperation.Answer] = [
            .problem(400, "Something in the request is invalid, such as a parameter that is not known."),
            .problem(403, "The request names another host, or comes from a web page of another origin."),
            .problem(503, "Too much memory is in use, a change cannot be stored, or the gateway is stopping."),
            .problem(507, "The gateway has reached its limit of worlds or of memory."),
        ]
        if !ControlAPI.withoutToken.contains(operation.path) {
            answers.append(.problem(401, "The control token is missing or wrong."))
        }
        if operation.body != nil { answers.append(.problem(413, "The body has more than 64 KiB.")) }
        return answers
    }

    private static func pathParameter(_ name: String) -> PayloadValue {
        [
            "name": .string(name), "in": "path", "required": true,
            "schema": (ControlSchema.pathParameters[name] ?? .string).json,
        ]
    }
}
