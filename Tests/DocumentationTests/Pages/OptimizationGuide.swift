import EventDelivery
import Foundation
import Optimization
import PushDispatch

/// What an app owns for variants of its entries: one for each process.
@MainActor
final class Magazine {
    let client: OptimizationClient
    let delivery: DeliveryClient
    let updates: EntryUpdateHandler
    let dispatcher: PushDispatcher
    let configuration: OptimizationConfiguration

    /// - Parameter folder: A private folder of the app, such as Application Support.
    init(_ configuration: OptimizationConfiguration, _ entries: DeliveryConfiguration, folder: URL) {
        self.configuration = configuration
        client = OptimizationClient(
            eventStore: FileEventStore(file: folder.appendingPathComponent("events").path),
            onReport: { report in print("optimization: \(report)") })
        delivery = DeliveryClient(
            entries, cache: FileDeliveryCache(folder: folder.appendingPathComponent("entries")))
        updates = EntryUpdateHandler(client, delivery: delivery, rules: EntryUpdateRules(locale: "en-US"))
        dispatcher = PushDispatcher(routes: PushRoutes([updates.route]), pending: MemoryPendingStore())
    }
}
