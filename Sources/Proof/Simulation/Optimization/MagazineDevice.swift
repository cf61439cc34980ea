import EventDelivery
import Foundation
import Optimization

/// A device: what is stored on it, its connection, and the app's process while it runs.
///
/// @unchecked: only the thread of the simulation uses it, or the main queue while the thread waits for it.
final class MagazineDevice: @unchecked Sendable {
    let number: Int
    unowned let run: MagazineRun
    private(set) var audit: MagazineAudit!
    private(set) var app: MagazineApp?

    // What outlives the process.
    var values: [String: String] = [:]
    private(set) var events: any EventStore = MemoryEventStore()

    var isOnline = true
    /// Whether every write fails.
    var isFull = false

    var name: String { "device \(number)" }

    init(number: Int, _ run: MagazineRun) {
        self.number = number
        self.run = run
        audit = MagazineAudit(self)
    }

    /// The running app; starts it if it does not run.
    @discardableResult
    func launch() -> MagazineApp {
        if let app { return app }
        run.count(.launch)
        run.trace("\(name) starts the app")
        let app = MagazineApp(self)
        self.app = app
        app.open()
        return app
    }

    /// Ends the process wherever it is.
    func kill(quietly: Bool = false) {
        guard let app else { return }
        if !quietly {
            run.count(.appKilled)
            run.trace("\(name)'s app is killed")
        }
        self.app = nil
        app.end()
        if !run.settings.storesEvents { events = MemoryEventStore() }
        audit.killed()
    }
}
