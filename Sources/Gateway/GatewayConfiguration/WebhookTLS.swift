import Synchronization
package import TLSSession

/// How webhooks of the form `https://` are verified. Created for the first one, because reading the authorities of the
/// system takes time.
package final class WebhookTLS: Sendable {
    private let trust: TLSTrust
    private let made = Mutex<TLSContext?>(nil)

    package init(_ trust: TLSTrust = .system) { self.trust = trust }

    package func context() throws(TLSError) -> TLSContext {
        try made.withLock { (made) throws(TLSError) in
            if let made { return made }
            let context = try TLSContext.client(trust: trust, identity: nil, alpn: ["http/1.1"])
            made = context
            return context
        }
    }
}
