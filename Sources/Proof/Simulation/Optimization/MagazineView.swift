import Optimization

/// An entry on the screen, and what its reader may see of it.
@MainActor
final class MagazineView {
    private let device: MagazineDevice
    private let client: OptimizationClient
    private let model: OptimizedEntryModel
    /// What a locked entry showed when it was last looked at, once there was something to keep.
    private var locked: EntryResolution?
    /// What it shows before the panel closes.
    private var beforeClosing: EntryResolution?

    init(_ client: OptimizationClient, _ entry: ContentEntry, _ device: MagazineDevice) {
        self.client = client
        self.device = device
        model = OptimizedEntryModel(client, baseline: entry)
    }

    private var isLive: Bool { client.isPreviewPanelOpen || model.isLive ?? client.isLive }

    func moved(to ratio: Double) {
        model.moved(to: ratio)
    }

    func tapped() { model.tapped() }

    func left() { model.removed() }

    func setLive(_ isLive: Bool?) { model.isLive = isLive }

    /// A locked entry never changes under its reader, and a live one follows.
    func check() {
        let shown = model.resolution
        guard !isLive else {
            locked = nil
            let expected = client.personalizeEntry(baseline: model.baseline)
            if shown != expected { violation("is live and shows \(shown.reason) instead of \(expected.reason)") }
            return
        }
        // Before the first reply there is nothing to keep.
        guard shown.reason != .notSelectedYet else { return }
        if let locked, locked != shown {
            violation("is locked and shows \(shown.reason) after \(locked.reason)")
        }
        device.run.count(.shownLocked)
        locked = shown
    }

    func panelWillChange() {
        let isOpen = client.isPreviewPanelOpen && client.selectedPersonalizations != nil
        beforeClosing = isOpen ? model.resolution : nil
    }

    /// A locked entry keeps what it showed while the panel was open.
    func panelHasChanged() {
        if let beforeClosing, !isLive, model.resolution != beforeClosing {
            violation("shows \(model.resolution.reason) after the panel, and \(beforeClosing.reason) in it")
        }
        beforeClosing = nil
    }

    private func violation(_ text: String) {
        device.run.reportViolation("\(device.name): the entry \(model.baseline.id ?? "") \(text)")
    }
}
