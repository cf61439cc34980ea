import APNSModel
import Foundation
import PersonalizationSimulator
import PushDispatch
import ServiceHost
import Testing

/// 2026-05-08T09:15:30.120Z
let morning: Int64 = 1_778_231_730_120

/// The world of a document, which must have no errors, with a manual clock.
func world(
    _ text: String, seed: UInt64 = 1, sourceLocation: SourceLocation = #_sourceLocation
) -> ServiceWorld {
    let document = PersonalizationDocument(Array(text.utf8), name: "service.yaml", seed: seed)
    #expect(document.errors.isEmpty, "\(document.errors)", sourceLocation: sourceLocation)
    return ServiceWorld(document.configuration, clock: .manual(at: morning))
}

extension ServiceWorld {
    var source: String { service.configuration.appSourceID }
    var bearer: [String: String] { ["authorization": "Bearer \(service.configuration.accessToken)"] }

    /// Posts to a path of decisions.
    mutating func post(_ body: String, to path: String = "/personalization/decisions", isSignedOn: Bool = false)
        -> Answer
    {
        var headers = ["content-type": "application/json"]
        var path = path
        if isSignedOn {
            headers.merge(bearer) { $1 }
            path = "/personalization/authenticated/decisions"
        }
        return Answer(answer(ServiceRequest("POST", path, headers: headers, body: Array(body.utf8)), real: 0).response)
    }

    /// Asks for points by name.
    mutating func decide(
        _ points: String..., for individual: String = "d-1", context: [String: JSONValue] = [:],
        flags: [String] = [], isSignedOn: Bool = false
    ) -> Answer {
        let body: JSONValue = [
            "context": .object(context.merging(["individualId": .string(individual)]) { $1 }),
            "personalizationPoints": .array(points.map { ["name": .string($0)] }),
            "executionFlags": .array(flags.map { .string($0) }),
        ]
        return post(String(decoding: body.compactBytes, as: UTF8.self), isSignedOn: isSignedOn)
    }

    /// Sends a batch in the form of apps and sites.
    @discardableResult
    mutating func send(_ events: [String: JSONValue]...) -> Answer {
        let batch: JSONValue = ["events": .array(events.map { .object($0) })]
        return sendForm("event=" + formField(batch.compactBytes))
    }

    mutating func sendForm(_ body: String, to source: String? = nil) -> Answer {
        let request = ServiceRequest(
            "POST", "/web/events/\(source ?? self.source)",
            headers: ["content-type": "application/x-www-form-urlencoded"], body: Array(body.utf8))
        return Answer(answer(request, real: 0).response)
    }

    mutating func get(_ path: String, _ query: String = "") -> Answer {
        Answer(answer(ServiceRequest("GET", path, query: query), real: 0).response)
    }

    mutating func control(_ method: String, _ path: String, _ body: String = "") -> Answer {
        Answer(answer(ServiceRequest(method, path, body: Array(body.utf8)), real: 0).response)
    }
}

/// URL-encoded base64.
func formField(_ bytes: [UInt8]) -> String {
    String(decoding: Base64.encode(bytes), as: UTF8.self)
        .replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
}

/// An answer with its JSON.
struct Answer {
    let response: ServiceResponse
    let json: JSONValue

    init(_ response: ServiceResponse) {
        self.response = response
        let limits = JSONLimits(maximumBytes: 1 << 26, maximumDepth: 32, maximumValues: 10_000_000)
        json = (try? JSONReader.read(response.body, limits: limits)) ?? .null
    }

    var status: Int { response.status }
    var text: String { String(decoding: response.body, as: UTF8.self) }

    subscript(_ key: String) -> JSONValue { json[key] }

    /// Of a decision reply.
    var personalizations: [JSONValue] { json["personalizations"].array ?? [] }
    var pointNames: [String] { personalizations.compactMap { $0["personalizationPointName"].string } }
    var codes: [Int64] { (json["diagnostics"].array ?? []).compactMap { $0["code"].number } }
    /// The names of the first point's items.
    var skus: [String] {
        (personalizations.first?["data"].array ?? []).compactMap { $0["ssot__ProductSKU__c"].string }
    }
    /// An attribute of the first point.
    func attribute(_ name: String) -> String? { personalizations.first?["attributes"][name].string }
}

extension JSONValue {
    /// Null for a missing member.
    subscript(_ key: String) -> JSONValue { object?[key] ?? .null }
    subscript(_ index: Int) -> JSONValue { array.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? .null }
    var number: Int64? { if case .integer(let number) = self { number } else { nil } }
    var strings: [String] { (array ?? []).compactMap(\.string) }
}

/// The UUID of an event in a test.
func eventID(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
}

/// An event with the common fields.
func event(
    _ number: Int, _ type: String, on device: String = "d-1", at seconds: Int64 = 0,
    _ more: [String: JSONValue] = [:]
) -> [String: JSONValue] {
    let profile = ["identity", "partyIdentification"].contains(type) || type.hasPrefix("contactPoint")
    let common: [String: JSONValue] = [
        "eventId": .string(eventID(number)), "dateTime": .string(TimeText.text(morning + seconds * 1_000)),
        "deviceId": .string(device), "sessionId": "s-1", "eventType": .string(type), "channel": "mobile",
        "category": profile ? "Profile" : "Engagement",
    ]
    return common.merging(more) { $1 }
}

func logIn(
    _ number: Int, on device: String = "d-1", user: String? = nil, email: String? = nil, at seconds: Int64 = 0,
    _ more: [String: JSONValue] = [:]
) -> [String: JSONValue] {
    var members = more
    members["isAnonymous"] = "0"
    members["userId"] = user.map { .string($0) }
    members["email"] = email.map { .string($0) }
    return event(number, "identity", on: device, at: seconds, members)
}

func logOut(_ number: Int, on device: String = "d-1", at seconds: Int64 = 0) -> [String: JSONValue] {
    event(number, "identity", on: device, at: seconds, ["isAnonymous": "1"])
}

/// A view of a product in the catalogue.
func view(_ number: Int, _ item: String, on device: String = "d-1", at seconds: Int64 = 0) -> [String: JSONValue] {
    event(
        number, "catalog", on: device, at: seconds,
        ["interactionName": "catalog-object-view-start", "type": "Product", "id": .string(item)])
}

/// Engagement with an item of a decision, in the guide's naming.
func engagement(
    _ number: Int, _ action: String, _ personalization: JSONValue, item: Int? = 0, on device: String = "d-1"
) -> [String: JSONValue] {
    let id = personalization["personalizationId"].string ?? ""
    var members: [String: JSONValue] = [
        "interactionName": .string("\(action) Product Recommendation"), "personalizationId": .string(id),
    ]
    if let item { members["personalizationContentId"] = .string("\(id):\(item)") }
    return event(number, "engagement", on: device, members)
}

let shop = """
    items:
      ssot__GoodsProduct__dlm:
        - {ssot__ProductSKU__c: "1", ssot__Name__c: Copper kettle, category: Kettles, price: "49.50"}
        - {ssot__ProductSKU__c: "2", ssot__Name__c: Steel kettle, category: Kettles, price: "29.00"}
        - {ssot__ProductSKU__c: "3", ssot__Name__c: Green tea, category: Tea, price: "7.25"}
        - {ssot__ProductSKU__c: "4", ssot__Name__c: Black tea, category: Tea, price: "6"}
        - {ssot__ProductSKU__c: "5", ssot__Name__c: Mug, category: Cups, price: "9.00"}
    points:
      - name: hero
        decisions:
          - {id: gold, when: [{attribute: tier, equals: gold}], content: {title: Welcome back}}
          - {id: everybody, content: {title: Hello}}
      - name: recs
        decisions:
          - {id: recs, content: {title: Picked for you}, recommend: {type: ssot__GoodsProduct__dlm, limit: 3}}
      - name: by_category
        decisions:
          - id: recs
            recommend:
              type: ssot__GoodsProduct__dlm
              where: [{field: category, equals: {context: category}}]
      - name: together
        decisions:
          - {id: recs, recommend: {type: ssot__GoodsProduct__dlm, limit: 2, order: co-viewed}}
      - name: notification_landing_recs
        decisions:
          - {id: recs, recommend: {type: ssot__GoodsProduct__dlm, limit: 1}}
      - name: members_only
        sign-on: true
        decisions: [{id: all, content: {title: Members}}]
      - name: loyalty_hero
        graph: loyalty
        decisions: [{id: all, content: {title: Points}}]
      - name: nobody
        decisions: [{id: never, when: [{attribute: tier, equals: none}], content: {title: Never}}]
    individuals:
      - {id: 5e1d7a90c4b2f836, email: kim@example.com, user-id: u-1001, attributes: {tier: gold}}
    """
