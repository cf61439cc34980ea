package import PushDispatch
package import ServiceHost

/// The decision service as a server: the vendor's paths, the control API and the inspector page on one port.
package typealias ServiceServer = WorldServer<ServiceWorld>

/// The world behind a lock, its store, and the clients that follow its events.
typealias ServiceState = WorldState<ServiceWorld>

extension ServiceWorld: SimulatedWorld {
    package static var name: String { "personalization" }
    package static var page: ServiceResponse { InspectorPage.response }
    package static func openAPI(needsToken: Bool) -> JSONValue { ServiceOpenAPI.document(needsToken: needsToken) }
    package static func isVendorPath(_ path: String) -> Bool { VendorRoute(path) != nil }

    private static let documents = ServiceDocuments()

    package func stored(_ changes: ServiceChanges) throws -> StoredChanges {
        try ServiceWorld.documents.stored(changes, self)
    }

    package func news(of changes: ServiceChanges, real: Int64) -> [UInt8] {
        ServiceNews.events(of: changes, in: self, real: real)
    }

    package func newsOfReplacement(real: Int64) -> [UInt8] { ServiceNews.replaced(in: self, real: real) }
}
