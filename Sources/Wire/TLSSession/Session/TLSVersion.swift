/// A protocol version of APNs (docs/reference/apns.md 1.2). Older versions are not supported.
package enum TLSVersion: Int32, Sendable, CaseIterable {
    case tls12 = 0x0303
    case tls13 = 0x0304
}
