import APNSModel
import EventDelivery
import Optimization

/// The settings that a seed determines for a run of the magazine's world: its size, its faults and their frequency.
struct MagazineSettings {
    var steps: Int
    var devices: Int
    var faults = AppFaults()
    /// Whether queued events survive the end of a process.
    var storesEvents: Bool
    /// Percentage of the steps that are about consent.
    var consentPercent: Int
    /// Percentage of the steps after which another person uses the app.
    var resetPercent: Int
    /// What an app says before its user has answered; nil for nothing.
    var startConsent: Bool?
    /// Whether developers use the app.
    var hasPreview: Bool
    /// Whether the app can end the library and begin anew without a new process.
    var restarts: Bool

    init(using random: inout SeededGenerator) {
        func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random) ?? values[0] }
        steps = pick([40, 60, 90])
        devices = pick([1, 1, 2, 3])
        storesEvents = pick([false, false, true])
        consentPercent = pick([2, 5, 12])
        resetPercent = pick([1, 4, 10])
        startConsent = pick([nil, nil, true, false])
        hasPreview = pick([true, false])
        restarts = pick([true, false, false])
        guard pick([true, true, true, false]) else { return }
        faults.lostPercent = pick([0, 5, 15])
        faults.slowPercent = pick([0, 5, 15])
        faults.doubledPercent = pick([0, 10, 30])
        faults.refusalPercent = pick([0, 5, 20])
        faults.storeFaultPercent = pick([0, 0, 3, 10])
        faults.storeKillPercent = pick([0, 0, 1, 3])
        faults.jobsBetweenCrashes = pick([nil, 100, 400])
    }

    /// What the app gives to the library.
    var configuration: OptimizationConfiguration {
        var configuration = OptimizationConfiguration(clientID: MagazineService.clientID)
        configuration.experienceBaseURL = "https://magazine.example.com"
        configuration.insightsBaseURL = "https://magazine.example.com"
        configuration.app = OptimizationApp(name: "Magazine", version: "1.0")
        if let startConsent { configuration.defaults = StartValues(consent: startConsent) }
        return configuration
    }
}
