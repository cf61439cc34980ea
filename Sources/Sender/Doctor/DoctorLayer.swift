/// The part of the way of a notification that a check looks at, in the order in which checks run and are printed
/// (docs/reference/interfaces.md 1.6).
package enum DoctorLayer: String, Hashable, Sendable, CaseIterable {
    case key, clock, route, tls, identity, topic, device, queue
}
