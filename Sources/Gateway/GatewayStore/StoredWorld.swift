import APNSModel
import GatewayCore

/// What the rows of a world say, as far as it decides what has to be written next.
struct StoredWorld {
    /// Of the list that a delivery is in.
    enum List: String, CaseIterable {
        case waiting, history
    }

    struct Address: Hashable {
        let environment: APNSEnvironment
        let slot: Int
    }

    let id: Int64
    /// The document of the world itself.
    var document = ""
    var keys: [ProviderKey.Document] = []
    var apps: [String: RegisteredApp] = [:]
    var waiting: [Address: StoredList<StoredDelivery>] = [:]
    var history: [Address: StoredList<Delivery>] = [:]
    /// The number of the oldest entry that there may be a row of.
    var firstEntry: UInt64 = 0

    init(id: Int64) { self.id = id }
}
