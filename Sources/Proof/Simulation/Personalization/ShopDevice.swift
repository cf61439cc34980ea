import EventDelivery
import Foundation
import Personalization

/// A device: what is stored on it, its clock and connection, and the app's process while it runs.
///
/// @unchecked: only the thread of the simulation uses it.
final class ShopDevice: @unchecked Sendable {
    let number: Int
    unowned let run: ShopRun
    let configuration: PersonalizationConfiguration
    private(set) var audit: ShopAudit!
    private(set) var app: ShopApp?

    // What outlives the process.
    private(set) var events: any EventStore = MemoryEventStore()
    private var folder: URL?
    var state: [UInt8]?
    var replies: [UInt8]?
    var opened: [UInt8]?
    /// What the user has answered, as the app itself remembers it.
    var answers: [ConsentPurpose: ConsentState] = [:]

    var isOnline = true
    /// Whether every write fails.
    var isFull = false
    /// The difference of the device's clock to the true time.
    var clockOffset: Int64 = 0

    var name: String { "device \(number)" }

    var wallTime: EventTime { EventTime(milliseconds: ShopRun.start + run.timeline.now + clockOffset) }

    init(number: Int, _ run: ShopRun, _ configuration: PersonalizationConfiguration) {
        self.number = number
        self.run = run
        self.configuration = configuration
        audit = ShopAudit(self)
        openFiles()
    }

    private func openFiles() {
        guard let files = run.files else { return }
        do {
            (events, folder) = try files.store(copyOf: folder)
        } catch {
            run.reportViolation("\(name) has no files: \(error)")
        }
    }

    /// The running app; starts it if it does not run.
    @discardableResult
    func launch() -> ShopApp {
        if let app { return app }
        run.count(.launch)
        run.trace("\(name) starts the app")
        let app = ShopApp(self)
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
        audit.killed()
        openFiles()
    }
}
