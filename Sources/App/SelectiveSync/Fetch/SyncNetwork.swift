/// The kind of network that the device is connected to.
public enum SyncNetwork: String, Hashable, Sendable, CaseIterable {
    case offline
    /// Mobile data, a hotspot, or any network in Low Data Mode.
    case metered
    case unmetered
}

/// When the records of an object may be fetched.
public enum NetworkRule: String, Hashable, Sendable, CaseIterable {
    case any
    /// Wi-Fi or cable only; on mobile data the hints wait.
    case unmetered

    func allows(_ network: SyncNetwork) -> Bool {
        switch network {
        case .offline: false
        case .metered: self == .any
        case .unmetered: true
        }
    }
}
