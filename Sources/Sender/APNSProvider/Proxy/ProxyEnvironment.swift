#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the environment variables of a process say about proxies for HTTPS.
///
/// The lower-case name of a variable wins over the upper-case one, as with curl. An empty variable counts as one that says
/// there is no proxy.
struct ProxyEnvironment {
    /// The variable with the proxy, and its value.
    private let proxy: (name: String, url: String)?
    private let exceptions: ProxyExceptions

    /// - Parameter value: The value of a variable; nil for one that is not set.
    init(_ value: (String) -> String?) {
        let set = ["https_proxy", "HTTPS_PROXY"].compactMap { name in value(name).map { (name: name, url: $0) } }
        proxy = set.first.flatMap { $0.url.isEmpty ? nil : $0 }
        exceptions = ProxyExceptions(value("no_proxy") ?? value("NO_PROXY") ?? "")
    }

    /// That of this process.
    static var current: ProxyEnvironment { ProxyEnvironment { getenv($0).map { String(cString: $0) } } }

    /// The proxy for connections to `gateway`; nil for none.
    ///
    /// - Throws: When the variable is not the URL of a proxy. The error names the variable.
    func proxy(for gateway: APNSGateway) throws(ProviderConfigurationError) -> ProviderConfiguration.Proxy? {
        guard let proxy, !ProxyExceptions.isLoopback(gateway.host),
            !exceptions.contains(host: gateway.host, port: gateway.port)
        else { return nil }
        do throws(ProviderConfigurationError) {
            return try ProviderConfiguration.Proxy(url: proxy.url)
        } catch {
            throw ProviderConfigurationError(
                detail: "the environment variable \(proxy.name): \(error.detail); NO_PROXY lists the hosts that are "
                    + "reached without it")
        }
    }
}
