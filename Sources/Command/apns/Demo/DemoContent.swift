import Foundation
import OptimizationSimulator
import PushDispatch
import ServiceHost
import Synchronization

/// The content of a magazine and the services for it, in this process. An editor can publish, and the network can go.
final class DemoContent: Sendable {
    static let clientID = "magazine"
    static let space = "space-1"
    static let accessToken = "reading"

    private struct State {
        /// Profiles stay when content is published.
        var profiles: OptimizationWorld
        var delivery: OptimizationWorld
        var isOnline = true
        var entryRequests = 0
    }

    private let state: Mutex<State>

    init(text: String) throws {
        let world = try DemoContent.world(text, revision: 1)
        state = Mutex(State(profiles: world, delivery: world))
    }

    /// The text of the variant for regular readers changes.
    func publish(text: String, revision: Int) throws {
        let world = try DemoContent.world(text, revision: revision)
        state.withLock { $0.delivery = world }
    }

    func setOnline(_ isOnline: Bool) { state.withLock { $0.isOnline = isOnline } }

    var entryRequests: Int { state.withLock { $0.entryRequests } }

    /// The audiences of the profile with a user id, with the conditions that hold.
    func audiences(of user: String) -> [String] {
        state.withLock { state in
            let response = state.profiles.answer(
                ServiceRequest("GET", "/api/profiles/\(user)"), real: DemoContent.now()
            ).response
            let limits = JSONLimits(maximumBytes: 1 << 20, maximumDepth: 32, maximumValues: 10_000)
            let value = try? PushDispatch.JSONReader.read(response.body, limits: limits)
            return (value?.object?["reasons"]?.array ?? []).compactMap { reason in
                guard let members = reason.object, members["in"] == true, let name = members["name"]?.string else {
                    return nil
                }
                let conditions = (members["conditions"]?.array ?? []).compactMap { $0.object?["condition"]?.string }
                return "\(name) (\(conditions.joined(separator: ", ")))"
            }
        }
    }

    /// - Returns: Status and body; nil without a network.
    func answer(_ method: String, _ url: URL, headers: [String: String], body: [UInt8]) -> (Int, [UInt8])? {
        state.withLock { state in
            guard state.isOnline else { return nil }
            let headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
            let query = URLComponents(url: url, resolvingAgainstBaseURL: false)?.percentEncodedQuery ?? ""
            let request = ServiceRequest(method, url.path, query: query, headers: headers, body: body)
            let response: ServiceResponse
            if url.path.hasPrefix("/spaces/") {
                state.entryRequests += 1
                response = state.delivery.answer(request, real: DemoContent.now()).response
            } else {
                response = state.profiles.answer(request, real: DemoContent.now()).response
            }
            return (response.status, response.body)
        }
    }

    private static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    private static func world(_ text: String, revision: Int) throws -> OptimizationWorld {
        let document = OptimizationDocument(Array(settings.utf8), name: "magazine") { _ in
            Array(entries(text, revision: revision).utf8)
        }
        guard document.errors.isEmpty else {
            throw CommandError("the magazine's services do not start: \(document.errors)", .no)
        }
        return OptimizationWorld(document.configuration)
    }

    private static let settings = """
        client-id: \(clientID)
        space: \(space)
        access-token: \(accessToken)
        entries: [magazine.json]
        audiences:
          - {id: regulars, name: Regular readers, when: [{event: story-finished, greater: "0"}]}
        """

    /// A story with a variant for regular readers and one for everybody else.
    private static func entries(_ text: String, revision: Int) -> String {
        func experience(_ id: String, variant: String, audience: String) -> String {
            """
            {"sys": {"id": "entry-\(id)", "type": "Entry", "contentType": {"sys": {"id": "nt_experience"}}},
             "fields": {"nt_name": "\(id)", "nt_type": "nt_personalization", "nt_experience_id": "\(id)",\(audience)
               "nt_config": {"traffic": 1, "distribution": [0, 1], "sticky": false, "components": [
                 {"type": "EntryReplacement", "baseline": {"id": "story"}, "variants": [{"id": "\(variant)"}]}]},
               "nt_variants": [{"sys": {"type": "Link", "linkType": "Entry", "id": "\(variant)"}}]}}
            """
        }
        func story(_ id: String, _ title: String, _ more: String = "") -> String {
            """
            {"sys": {"id": "\(id)", "type": "Entry", "revision": \(revision), "contentType": {"sys": {"id": "story"}}},
             "fields": {"title": "\(title)"\(more)}}
            """
        }
        let links = ["for-regulars", "for-all"].map {
            #"{"sys": {"type": "Link", "linkType": "Entry", "id": "entry-\#($0)"}}"#
        }
        let audience = #""nt_audience": {"sys": {"type": "Link", "linkType": "Entry", "id": "regulars"}},"#
        let all = [
            story("story", "Kettles", #", "nt_experiences": [\#(links.joined(separator: ", "))]"#),
            story("story-short", "Kettles in a minute"), story("story-long", text),
            experience("for-regulars", variant: "story-long", audience: audience),
            experience("for-all", variant: "story-short", audience: ""),
            """
            {"sys": {"id": "regulars", "type": "Entry", "contentType": {"sys": {"id": "nt_audience"}}},
             "fields": {"nt_audience_id": "regulars", "nt_name": "Regular readers"}}
            """,
        ]
        return "[" + all.joined(separator: ",\n") + "]"
    }
}
