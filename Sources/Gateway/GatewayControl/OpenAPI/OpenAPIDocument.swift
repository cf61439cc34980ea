import APNSPayload

/// The description of the control API by OpenAPI 3.1, made of the rows that the router itself goes by.
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
                bearer: ["type": "http", "scheme": "bearer", "description": "What --control-token was started with."]
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
        Looks into a gateway simulator for APNs and sets it up. Every path that does not concern the gateway as a \
        whole exists once more below /w/{world}, for a world of its own that is made on first use. \
        Errors are problem details (RFC 9457).
        """,
    ]

    private static let servers: PayloadValue = [
        ["url": "/", "description": "The world of senders that name none."],
        [
            "url": "/w/{world}", "description": "A world of its own.",
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
                        "name": .string($0.name), "in": .string($0.place.rawValue), "required": false,
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
                response["headers"] = ["location": ["description": "Where it is.", "schema": ["type": "string"]]]
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

    /// What can be asked of a thing that was just made, under its own name.
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

    /// What can come of every request.
    private static func common(_ operation: ControlOperation) -> [ControlOperation.Answer] {
        var answers: [ControlOperation.Answer] = [
            .problem(403, "The request names another host, or comes from a web page of another origin."),
            .problem(507, "There are as many worlds as the gateway holds."),
        ]
        if operation.path != "/health" { answers.append(.problem(401, "The control token is missing or wrong.")) }
        let takesInput = operation.body != nil || !operation.parameters.isEmpty || !operation.arguments.isEmpty
        if takesInput { answers.append(.problem(400, "Something in the request is not what it should be.")) }
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
