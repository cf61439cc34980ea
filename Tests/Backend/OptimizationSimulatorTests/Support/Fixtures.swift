import APNSModel
import OptimizationSimulator
import PushDispatch
import ServiceHost
import Testing

/// 2026-05-08T09:15:30.120Z
let morning: Int64 = 1_778_231_730_120

struct NoFile: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path): there is no such file" }
}

func document(_ text: String, files: [String: String] = [:]) -> OptimizationDocument {
    OptimizationDocument(Array(text.utf8), name: "optimization.yaml") { path throws(NoFile) in
        guard let file = files[path] else { throw NoFile(path: path) }
        return Array(file.utf8)
    }
}

/// The world of a document, which must have no errors, with a manual clock.
func world(
    _ text: String, entries: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
) -> OptimizationWorld {
    let base = "client-id: org-1\nspace: space-1\naccess-token: token-1\n"
    let document = document(
        base + (entries == nil ? "" : "entries: [e.json]\n") + text, files: ["e.json": entries ?? ""])
    #expect(document.errors.isEmpty, "\(document.errors)", sourceLocation: sourceLocation)
    return OptimizationWorld(document.configuration, clock: .manual(at: morning))
}

/// An experience entry whose links are replaced.
func experience(
    _ id: String, audience: String? = nil, traffic: JSONValue = 1, shares: [JSONValue] = [.number(0.5), .number(0.5)],
    isSticky: Bool = false, components: [JSONValue]? = nil
) -> JSONValue {
    let replacement: JSONValue = [
        "type": "EntryReplacement", "baseline": ["id": "hero"],
        "variants": .array((1..<max(2, shares.count)).map { ["id": .string("hero-\($0)"), "hidden": false] }),
    ]
    var fields: [String: JSONValue] = [
        "nt_name": .string("Experience \(id)"), "nt_type": "nt_experiment", "nt_experience_id": .string(id),
        "nt_config": [
            "traffic": traffic, "distribution": .array(shares), "sticky": .bool(isSticky),
            "components": .array(components ?? [replacement]),
        ], "nt_variants": [],
    ]
    if let audience {
        fields["nt_audience"] = [
            "sys": [
                "id": .string("entry-\(audience)"), "type": "Entry",
                "contentType": ["sys": ["id": "nt_audience"]],
            ], "fields": ["nt_audience_id": .string(audience), "nt_name": "An audience"],
        ]
    }
    return [
        "sys": ["id": .string("entry-\(id)"), "type": "Entry", "contentType": ["sys": ["id": "nt_experience"]]],
        "fields": .object(fields),
    ]
}

func entry(_ id: String, type: String = "page", _ fields: [String: JSONValue] = [:]) -> JSONValue {
    [
        "sys": ["id": .string(id), "type": "Entry", "contentType": ["sys": ["id": .string(type)]]],
        "fields": .object(fields),
    ]
}

func link(_ id: String, _ type: String = "Entry") -> JSONValue {
    ["sys": ["type": "Link", "linkType": .string(type), "id": .string(id)]]
}

func text(_ value: JSONValue) -> String { String(decoding: value.compactBytes, as: UTF8.self) }

/// An answer with its JSON.
struct Answer {
    let response: ServiceResponse
    let json: JSONValue

    init(_ response: ServiceResponse) {
        self.response = response
        let limits = JSONLimits(maximumBytes: 1 << 26, maximumDepth: 64, maximumValues: 10_000_000)
        json = (try? JSONReader.read(response.body, limits: limits)) ?? .null
    }

    var status: Int { response.status }
    var text: String { String(decoding: response.body, as: UTF8.self) }
    var code: String? { json["error"]["code"].string }
    var profile: JSONValue { json["data"]["profile"] }
    var audiences: [String] { profile["audiences"].strings }
    /// The variant of each experience in the reply.
    var variants: [String: Int64] {
        Dictionary(
            (json["data"]["experiences"].array ?? []).compactMap { one in
                one["experienceId"].string.flatMap { id in one["variantIndex"].number.map { (id, $0) } }
            }, uniquingKeysWith: { first, _ in first })
    }

    subscript(_ key: String) -> JSONValue { json[key] }
}

extension JSONValue {
    /// Null for a missing member.
    subscript(_ key: String) -> JSONValue { object?[key] ?? .null }
    subscript(_ index: Int) -> JSONValue { array.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? .null }
    var number: Int64? { if case .integer(let number) = self { number } else { nil } }
    var strings: [String] { (array ?? []).compactMap(\.string) }
}

let profiles = "/v2/organizations/org-1/environments/master/profiles"

extension OptimizationWorld {
    mutating func call(
        _ method: String, _ path: String, _ body: String = "", query: String = "", headers: [String: String] = [:]
    ) -> Answer {
        var all = ["content-type": "application/json"]
        all.merge(headers) { $1 }
        return Answer(
            answer(ServiceRequest(method, path, query: query, headers: all, body: Array(body.utf8)), real: 0).response)
    }

    /// Sends events of one profile to the profile service.
    mutating func send(
        _ events: [String: JSONValue]..., to id: String? = "p1", query: String = "", features: [String] = [],
        headers: [String: String] = [:]
    ) -> Answer {
        let body: JSONValue = [
            "events": .array(events.map { .object($0) }),
            "options": ["features": .array(features.map { .string($0) })],
        ]
        return call(
            "POST", profiles + (id.map { "/" + $0 } ?? ""), OptimizationSimulatorTests.text(body), query: query,
            headers: headers.merging(["content-type": "text/plain"]) { mine, _ in mine })
    }

    /// Sends views and taps to the analytics service.
    @discardableResult
    mutating func report(_ events: [String: JSONValue]..., of id: String = "p1") -> Answer {
        let body: JSONValue = [["profile": ["id": .string(id)], "events": .array(events.map { .object($0) })]]
        return call(
            "POST", "/v1/organizations/org-1/environments/master/events", OptimizationSimulatorTests.text(body))
    }

    mutating func entries(_ query: String = "", _ id: String = "", token: String = "token-1") -> Answer {
        call(
            "GET", "/spaces/space-1/environments/master/entries" + (id.isEmpty ? "" : "/" + id), query: query,
            headers: ["authorization": "Bearer \(token)"])
    }

    mutating func advance(_ duration: String) { _ = call("POST", "/api/clock/advance", #"{"by":"\#(duration)"}"#) }
}

/// The UUID of a message in a test.
func messageID(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
}

/// An event with the common fields.
func event(_ number: Int, _ type: String, _ more: [String: JSONValue] = [:]) -> [String: JSONValue] {
    let common: [String: JSONValue] = [
        "type": .string(type), "channel": "mobile", "messageId": .string(messageID(number)),
        "originalTimestamp": "2026-05-08T09:15:30.120Z", "sentAt": "2026-05-08T09:15:30.120Z",
        "timestamp": "2026-05-08T09:15:30.120Z",
        "context": ["library": ["name": "test", "version": "1"], "locale": "en-US"],
    ]
    return common.merging(more) { $1 }
}

func identify(_ number: Int, _ user: String, _ traits: [String: JSONValue] = [:]) -> [String: JSONValue] {
    event(number, "identify", ["userId": .string(user), "traits": .object(traits)])
}

func track(_ number: Int, _ name: String) -> [String: JSONValue] { event(number, "track", ["event": .string(name)]) }

func view(_ number: Int, _ experience: String, _ index: Int64, _ type: String = "component") -> [String: JSONValue] {
    event(
        number, type,
        [
            "componentType": "Entry", "componentId": "hero", "experienceId": .string(experience),
            "variantIndex": .integer(index), "viewId": .string("view-\(number)"), "viewDurationMs": 2_000,
        ])
}
