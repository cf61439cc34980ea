import APNSModel

/// When devices next change by the passing of time: a heap, so that the next one is at hand however many there are.
struct WakeUps: Sendable {
    struct WakeUp: Hashable {
        let due: Int64
        let environment: APNSEnvironment
        let slot: Int

        /// Two of one time go by the device, so that the order never depends on what was there before.
        static func < (left: WakeUp, right: WakeUp) -> Bool {
            if left.due != right.due { return left.due < right.due }
            return left.slot == right.slot
                ? left.environment == .sandbox && right.environment == .production : left.slot < right.slot
        }
    }

    /// The smallest first.
    private var heap: [WakeUp] = []

    init() {}

    /// - Parameter all: In any order.
    init(_ all: [WakeUp]) { heap = all.sorted(by: <) }  // a sorted array is a heap

    var count: Int { heap.count }

    /// Nothing is due before this time. Milliseconds since 1970.
    var next: Int64 { heap.first?.due ?? .max }

    mutating func add(_ wakeUp: WakeUp) {
        heap.append(wakeUp)
        var index = heap.count - 1
        while index > 0, heap[index] < heap[(index - 1) / 2] {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeFirst() -> WakeUp? {
        guard let first = heap.first else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while true {
            var least = index
            let (left, right) = (2 * index + 1, 2 * index + 2)
            if left < heap.count, heap[left] < heap[least] { least = left }
            if right < heap.count, heap[right] < heap[least] { least = right }
            guard least != index else { return first }
            heap.swapAt(index, least)
            index = least
        }
    }
}
