#if canImport(SwiftUI) && canImport(Observation)
    public import Observation

    /// The client's state for views that observe it, on systems that have `@Observable`. Elsewhere the client's streams give
    /// the same values.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
    @MainActor @Observable
    public final class ObservableOptimization {
        public private(set) var state: OptimizationState
        public private(set) var isInitialized: Bool
        public private(set) var isPreviewPanelOpen: Bool
        /// With the overrides of the preview panel; nil before the first reply.
        public private(set) var selectedPersonalizations: [ExperienceSelection]?
        @ObservationIgnored private let followers = Followers()

        public init(_ client: OptimizationClient) {
            state = client.state
            isInitialized = client.isInitialized
            isPreviewPanelOpen = client.isPreviewPanelOpen
            selectedPersonalizations = client.selectedPersonalizations
            let (states, displays) = (client.stateUpdates(), client.displayUpdates())
            followers.add(Task { [weak self] in for await state in states { self?.state = state } })
            followers.add(Task { [weak self] in for await display in displays { self?.show(display) } })
        }

        private func show(_ display: EntryDisplay) {
            isInitialized = display.isInitialized
            isPreviewPanelOpen = display.conditions.isPanelOpen
            selectedPersonalizations = display.selections
        }
    }

    /// Ends its tasks when it is deallocated.
    @MainActor
    private final class Followers {
        private var tasks: [Task<Void, Never>] = []

        func add(_ task: Task<Void, Never>) { tasks.append(task) }

        deinit { for task in tasks { task.cancel() } }
    }
#endif
