/// Whether connections go through a proxy.
package enum ProxyEvidence: Hashable, Sendable {
    case direct
    /// - Parameter name: Host and port.
    case proxy(name: String)
    /// The address of a proxy is given and cannot be used.
    case unusable(String)
}

/// What the resolver says about the host of the destination.
package struct NameEvidence: Hashable, Sendable {
    package struct Address: Hashable, Sendable {
        package var text: String
        package var isIPv6: Bool
        /// Whether the machine has a route to it. No packet is sent to find out.
        package var hasRoute: Bool

        package init(_ text: String, isIPv6: Bool, hasRoute: Bool) {
            self.text = text
            self.isIPv6 = isIPv6
            self.hasRoute = hasRoute
        }
    }

    package var host: String
    package var addresses: [Address]
    /// Why there are none; nil where the resolver answered.
    package var failure: String?

    package init(host: String, addresses: [Address], failure: String? = nil) {
        self.host = host
        self.addresses = addresses
        self.failure = failure
    }
}

extension DoctorEvidence {
    /// Whether the resolver has no address for the host of the destination, so that no port of it can be tried.
    var hasNoAddress: Bool { names.value?.addresses.isEmpty == true }
}
