import Foundation
import OptimizationSimulator
import PushDispatch
import ServiceHost

/// The simulated services in this process, without a socket. A test publishes content, and takes the network away.
///
/// `@unchecked Sendable` because the lock protects everything.
final class SimulatedServices: @unchecked Sendable {
    struct Reply: Sendable {
        let status: Int
        let body: [UInt8]
    }

    private let lock = NSLock()
    /// Profiles stay when content is published.
    private var profiles: OptimizationWorld
    private var delivery: OptimizationWorld
    private var isOnline = true
    private var entryRequests = 0

    /// - Parameter entries: An array of entries.
    init(_ entries: JSONValue) throws {
        profiles = try SimulatedServices.world(entries)
        delivery = profiles
    }

    private static func world(_ entries: JSONValue) throws -> OptimizationWorld {
        var configuration = OptimizationConfiguration()
        configuration.clientID = "client-1"
        configuration.space = "space-1"
        configuration.accessToken = "token-1"
        var content = ContentStore()
        for entry in try ContentFile(entries.compactBytes).entries { content.add(entry) }
        configuration.setContent(content)
        return OptimizationWorld(configuration, clock: .manual(at: 1_778_231_730_120))
    }

    func publish(_ entries: JSONValue) throws {
        let world = try SimulatedServices.world(entries)
        lock.withLock { delivery = world }
    }

    func setOnline(_ isOnline: Bool) { lock.withLock { self.isOnline = isOnline } }

    /// How many requests for entries were answered.
    var entryRequestCount: Int { lock.withLock { entryRequests } }

    /// Nil without a network.
    func answer(_ method: String, _ url: URL, headers: [String: String], body: [UInt8]) -> Reply? {
        lock.withLock {
            guard isOnline else { return nil }
            let headers = Dictionary(uniqueKeysWithValues: headers.map { ($0.key.lowercased(), $0.value) })
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
            let request = ServiceRequest(
                method, url.path, query: parts?.percentEncodedQuery ?? "", headers: headers, body: body)
            let isEntries = url.path.hasPrefix("/spaces/")
            if isEntries { entryRequests += 1 }
            let response =
                isEntries ? delivery.answer(request, real: 0).response : profiles.answer(request, real: 0).response
            return Reply(status: response.status, body: response.body)
        }
    }
}
