extension DoctorCheck {
    static let proxy = DoctorCheck(
        id: "proxy", layer: .route,
        summary: "Connections go directly, or through a proxy that opens a tunnel.",
        cause: "HTTPS_PROXY has a wrong address or password, or the proxy does not allow CONNECT to the host of APNs.",
        next:
            "correct --proxy or HTTPS_PROXY, allow CONNECT to the host and port at the proxy, or list the host in NO_PROXY",
        subject: { evidence in evidence.proxy.map { (proxy: $0, connection: evidence.connection.value) } }
    ) { proxy, connection in
        switch proxy {
        case .direct: return .pass("connections go directly; no proxy is set for this host")
        case .unusable(let detail): return .fail(detail)
        case .proxy(let name):
            guard let connection, let last = connection.attempts.last else {
                return .skip("the proxy \(name) is used; no connection was tried")
            }
            guard let failure = last.failure else {
                return .pass("the proxy \(name) opened a tunnel to port \(last.port)")
            }
            return .fail(failure)
        }
    }
}
