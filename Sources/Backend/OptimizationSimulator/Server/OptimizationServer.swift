package import PushDispatch
package import ServiceHost

/// The services on one port: profiles, analytics, entries, the control API and the inspector page.
package typealias OptimizationServer = WorldServer<OptimizationWorld>

extension OptimizationWorld: SimulatedWorld {
    package static var name: String { "optimization" }
    package static var page: ServiceResponse { OptimizationPage.response }

    package static func openAPI(needsToken: Bool) -> JSONValue {
        ControlOpenAPI.document(
            OptimizationOperation.all, title: "Simulated optimization services, control API",
            description: """
                Inspects and configures a simulated profile, analytics and delivery service. The vendor's paths on the same \
                port are not described here. Errors are problem details (RFC 9457).
                """, needsToken: needsToken)
    }

    package static func isVendorPath(_ path: String) -> Bool { OptimizationRoute(path) != nil }

    package func mayChange(_ request: ServiceRequest) -> Bool {
        guard let route = OptimizationRoute(request.path) else {
            return request.method != "GET" && request.method != "HEAD"
        }
        return service.faults.changeWithUse || route.mayChange(request)
    }

    private static let documents = OptimizationDocuments()

    package func stored(_ changes: OptimizationChanges) throws -> StoredChanges {
        try OptimizationWorld.documents.stored(changes, self)
    }

    package func news(of changes: OptimizationChanges, real: Int64) -> [UInt8] {
        guard !changes.isReplaced else { return newsOfReplacement(real: real) }
        var bytes: [UInt8] = []
        for id in changes.profiles {
            if let profile = service.profiles[id] {
                ServerSentEvents.append("profile", json(profile), to: &bytes)
            } else {
                ServerSentEvents.append("profile-gone", ["id": .string(id)], to: &bytes)
            }
        }
        for number in changes.events {
            if let entry = service.events.log[number] { ServerSentEvents.append("event", json(entry), to: &bytes) }
        }
        if !changes.experiences.isEmpty {
            let changed = Set(changes.experiences)
            for experience in configuration.experiences where changed.contains(experience.id) {
                ServerSentEvents.append("experience", json(experience), to: &bytes)
            }
        }
        ServerSentEvents.append("state", state(real), to: &bytes)
        return bytes
    }

    package func newsOfReplacement(real: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        ServerSentEvents.append("reset", [:], to: &bytes)
        ServerSentEvents.append("state", state(real), to: &bytes)
        return bytes
    }
}
