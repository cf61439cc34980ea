/// Why a request to one of the vendor's paths is refused.
package struct WireError: Error, Hashable, Sendable {
    package let status: Int
    /// Says what is there and what is wanted.
    package let description: String
    /// The position in the batch of the event that is wrong; nil for everything else.
    package var event: Int?
    package var headers: [String: String] = [:]

    package init(_ status: Int, _ description: String, event: Int? = nil) {
        self.status = status
        self.description = description
        self.event = event
    }

    /// Asks the client to wait, in whole seconds, rounded up.
    package mutating func ask(toWait milliseconds: Int64) {
        headers["retry-after"] = String(WireError.seconds(milliseconds))
    }

    /// Whole seconds, rounded up.
    package static func seconds(_ milliseconds: Int64) -> Int64 { (milliseconds + 999) / 1_000 }

    package static func bad(_ description: String) -> WireError { WireError(400, description) }
}
