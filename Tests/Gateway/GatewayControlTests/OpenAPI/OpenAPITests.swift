import APNSPayload
import Foundation
import GatewayTestSupport
import GatewayTesting
import Testing

@testable import GatewayControl

@Suite(.timeLimit(.minutes(10)))
struct OpenAPITests {
    /// Every path and method of docs/reference/interfaces.md section 2, and what came to it.
    static let promised = [
        "GET /", "GET /health", "GET /ready", "GET /metrics", "GET /openapi.json", "GET /api/notifications",
        "GET /api/notifications/{apns-unique-id}", "DELETE /api/notifications", "GET /api/events", "POST /api/verify",
        "GET /api/devices", "POST /api/devices", "GET /api/devices/{token}", "PATCH /api/devices/{token}",
        "DELETE /api/devices/{token}", "GET /api/devices/{token}/deliveries", "GET /api/faults", "POST /api/faults",
        "DELETE /api/faults", "DELETE /api/faults/{id}", "GET /api/clock", "PUT /api/clock", "POST /api/clock/advance",
        "GET /api/apps", "POST /api/apps", "GET /api/keys", "POST /api/keys", "GET /api/channels", "POST /api/reset",
        "GET /api/worlds", "POST /api/worlds", "GET /api/worlds/{world}", "DELETE /api/worlds/{world}",
        "GET /api/webhooks", "POST /api/webhooks", "DELETE /api/webhooks/{id}", "GET /api", "POST /api/notifications",
        "POST /api/validate", "GET /api/counts", "GET /api/devices/{token}/notifications",
    ]

    func document(_ gateway: TestGateway) async throws -> [String: Any] {
        let answer = try await gateway.control.call("GET", "/openapi.json")
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "application/json")
        return answer.json
    }

    static func operations(_ document: [String: Any]) -> [(path: String, method: String, item: [String: Any])] {
        let paths = document["paths"] as? [String: [String: Any]] ?? [:]
        return paths.flatMap { path, item in
            item.compactMap { method, operation in
                guard !["parameters", "servers"].contains(method), let operation = operation as? [String: Any] else {
                    return nil
                }
                return (path, method.uppercased(), operation)
            }
        }
    }

    @Test func `the document has every operation, and each has a name of its own`() async throws {
        try await withGateway { gateway in
            let document = try await document(gateway)
            #expect(document["openapi"] as? String == "3.1.0")
            let operations = OpenAPITests.operations(document)
            let calls = operations.map { "\($0.method) \($0.path)" }
            #expect(Set(OpenAPITests.promised).subtracting(calls) == [])
            #expect(calls.sorted() == ControlOperation.all.map { "\($0.method) \($0.path)" }.sorted())
            let names = operations.compactMap { $0.item["operationId"] as? String }
            #expect(names.count == calls.count && Set(names).count == names.count)
            let index = try await gateway.control.call("GET", "/api").body
            for operation in operations { #expect(index.contains(operation.path)) }
        }
    }

    @Test func `what is made leads to all that can be asked of it`() async throws {
        try await withGateway { gateway in
            let document = try await document(gateway)
            var links: [String: [String: [String: String]]] = [:]
            for (_, _, item) in OpenAPITests.operations(document) {
                let made = (item["responses"] as? [String: [String: Any]])?["201"]?["links"] as? [String: [String: Any]]
                guard let id = item["operationId"] as? String, let made else { continue }
                links[id] = made.mapValues { $0["parameters"] as? [String: String] ?? [:] }
                #expect(made.allSatisfy { $0.key == $0.value["operationId"] as? String })
            }
            #expect(
                links.mapValues { $0.keys.sorted() } == [
                    "registerDevice": OpenAPITests.ofDevice, "reinstall": OpenAPITests.ofDevice,
                    "restore": OpenAPITests.ofDevice, "addFault": ["getFault", "removeFault"],
                    "addWebhook": ["getWebhook", "removeWebhook"], "registerKey": ["revokeKey"],
                    "makeWorld": ["getWorld", "removeWorld"], "sendNotification": ["getNotification"],
                ])
            #expect(
                links["registerDevice"]?["changeDevice"] == [
                    "path.token": "$response.body#/token", "query.environment": "$response.body#/environment",
                ])
            #expect(links["makeWorld"]?["getWorld"] == ["path.world": "$response.body#/name"])
        }
    }

    private static let ofDevice = [
        "changeDevice", "deliveries", "getDevice", "inbox", "reinstall", "restore", "uninstall",
    ]

    @Test func `every operation of the document is served, and no other method of its path`() async throws {
        let placeholders = [
            "{token}": "ab12", "{id}": "1", "{world}": "orders", "{file}": "main.js",
            "{apns-unique-id}": "00000000-0000-0000-0000-000000000000",
        ]
        try await withGateway { gateway in
            let operations = OpenAPITests.operations(try await document(gateway))
            for path in Set(operations.map(\.path)) {
                var concrete = path
                for (name, value) in placeholders { concrete = concrete.replacingOccurrences(of: name, with: value) }
                let known = operations.filter { $0.path == path }.map(\.method)
                    .flatMap { $0 == "GET" ? [$0, "HEAD"] : [$0] }.sorted()
                let refused = try await gateway.control.call("TRACE", concrete)
                #expect(refused.status == 405)
                let allowed = refused.headers["allow"]?.components(separatedBy: ", ").sorted()
                #expect(allowed == known, "\(path)")
            }
        }
    }

    @Test func `every reference leads to a schema, and every schema is referred to`() {
        var referred: Set<String> = []
        func visit(_ value: PayloadValue) {
            switch value {
            case .object(let members):
                if case .string(let reference)? = members["$ref"] {
                    referred.insert(String(reference.split(separator: "/").last ?? ""))
                }
                members.values.forEach(visit)
            case .array(let elements): elements.forEach(visit)
            default: break
            }
        }
        visit(OpenAPIDocument.document(needsToken: true))
        #expect(referred == Set(ControlSchema.components.keys))
    }

    @Test func `the parameters of a path are described`() {
        for operation in ControlOperation.all {
            for argument in operation.arguments {
                #expect(ControlSchema.pathParameters[argument] != nil, "\(argument)")
            }
        }
    }

    @Test func `a gateway with a control token says that it wants one`() {
        guard case .object(let with) = OpenAPIDocument.document(needsToken: true),
            case .object(let without) = OpenAPIDocument.document(needsToken: false)
        else {
            Issue.record("the document is not an object")
            return
        }
        #expect(with["security"] != nil)
        #expect(without["security"] == nil)
    }
}
