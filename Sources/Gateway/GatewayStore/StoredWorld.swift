import APNSModel
import GatewayCore

/// What the rows of a world contain, as far as it is needed to decide what has to be written next.
struct StoredWorld {
    /// The list that a delivery is in.
    enum List: String, CaseIterable {
        case waiting, history
    }

    struct Address: Hashable {
        let environment: APNSEnvironment
        let slot: Int
    }

    let id: Int64
    /// The document of the world's own row.
    var document = ""
    /// The file that it was made of; nil for none.
    var file: String?
    var keys: [ProviderKey.Document] = []
    var apps: [String: RegisteredApp] = [:]
    var waiting: [Address: StoredList<StoredDelivery>] = [:]
    var history: [Address: StoredList<Delivery>] = [:]
    /// The number of the oldest entry that may have a row.
    var firstEntry: UInt64 = 0

    init(id: Int64) { self.id = id }
}
