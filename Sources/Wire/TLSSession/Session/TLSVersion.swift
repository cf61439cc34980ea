/// A protocol version that APNs speaks (docs/reference/apns.md 1.2); older ones do not exist here.
package enum TLSVersion: Int32, Sendable, CaseIterable {
    case tls12 = 0x0303
    case tls13 = 0x0304
}
