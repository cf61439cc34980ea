package import PushDispatch

/// A simulated service with its clock and its control API, as a value: everything that a server needs except I/O.
package protocol SimulatedWorld: Sendable {
    /// What requests have changed: keys and numbers, whose values are in the world.
    associatedtype Changes: Sendable

    /// The word for the service in log names.
    static var name: String { get }
    /// The page at `/`.
    static var page: ServiceResponse { get }
    /// - Parameter needsToken: Whether clients have to send the control token.
    static func openAPI(needsToken: Bool) -> JSONValue
    /// Whether a path is the vendor's, which is open to web pages and needs no control token.
    static func isVendorPath(_ path: String) -> Bool
    /// The answer to a request whose changes cannot be stored, so that it did not happen.
    static func notStored(_ request: ServiceRequest, _ why: String) -> ServiceOutcome

    /// How many clients follow the events; the server counts them.
    var streams: Int { get set }

    /// Whether a request may change anything that is worth storing.
    func mayChange(_ request: ServiceRequest) -> Bool
    /// - Parameter real: The machine's time in milliseconds since 1970.
    mutating func answer(_ request: ServiceRequest, real: Int64) -> ServiceOutcome

    /// Whoever switches it on has to take the changes after each request.
    mutating func track(_ mode: ChangeTracking)
    mutating func takeChanges() -> Changes
    /// What a store has to write for changes.
    func stored(_ changes: Changes) throws -> StoredChanges
    /// Takes the state of the store again after a failed write.
    mutating func reload(from store: any ServiceStore) throws

    /// Server-sent events for changes; empty if nothing changed.
    func news(of changes: Changes, real: Int64) -> [UInt8]
    /// Says that everything has to be read again.
    func newsOfReplacement(real: Int64) -> [UInt8]
}

/// The result of a request.
package struct ServiceOutcome: Hashable, Sendable {
    package var response: ServiceResponse
    /// Milliseconds to wait before the answer.
    package var delay: Int64 = 0
    package var delivery = Delivery.answered

    package init(_ response: ServiceResponse) { self.response = response }

    package enum Delivery: Hashable, Sendable {
        case answered
        /// The connection closes without the answer.
        case lost
        /// There is never an answer.
        case silent
    }
}

/// Server-sent events (HTML standard, 9.2).
package enum ServerSentEvents {
    package static let connected = Array(": connected\n\n".utf8)
    package static let heartbeat = Array(": heartbeat\n\n".utf8)

    package static func append(_ name: String, _ value: JSONValue, to bytes: inout [UInt8]) {
        bytes += "event: \(name)\ndata: ".utf8
        // Compact JSON contains no line end.
        bytes += value.compactBytes
        bytes += "\n\n".utf8
    }
}
