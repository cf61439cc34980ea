package import PushQueue

/// The lanes that a worker reads, each with its weight.
package struct LaneWeights: Hashable, Sendable {
    package struct Lane: Hashable, Sendable {
        package var name: LaneName
        package var weight: Int
    }

    /// The largest weight first.
    package let lanes: [Lane]

    package static let maximumLanes = 16
    package static let maximumWeight = 1000

    package static let standard = LaneWeights(known: [
        Lane(name: .high, weight: 8), Lane(name: .normal, weight: 3), Lane(name: .bulk, weight: 1),
    ])

    private init(known lanes: [Lane]) { self.lanes = lanes }

    /// Why a text gives no lanes.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Reads `high=8,normal=3,bulk=1`. A lane without a weight has 1.
    package init(parsing text: String) throws(Problem) {
        var lanes: [Lane] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = LaneName(pair[0]) else {
                throw Problem(
                    description:
                        "\"\(pair[0].prefix(40))\" is not the name of a lane; it has 1 to 32 characters of a-z, 0-9, - and _"
                )
            }
            let weight = pair.count == 2 ? Int(pair[1]) : 1
            guard let weight, (1...LaneWeights.maximumWeight).contains(weight) else {
                throw Problem(
                    description:
                        "the weight of the lane \(name) must be a number from 1 to \(LaneWeights.maximumWeight)")
            }
            guard !lanes.contains(where: { $0.name == name }) else {
                throw Problem(description: "the lane \(name) is named twice")
            }
            lanes.append(Lane(name: name, weight: weight))
        }
        guard lanes.count <= LaneWeights.maximumLanes else {
            throw Problem(description: "there are \(lanes.count) lanes, and \(LaneWeights.maximumLanes) are the most")
        }
        self.lanes = lanes.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element)
    }

    package var names: [LaneName] { lanes.map(\.name) }

    /// Shares `room` between lanes by weight. Each lane gets at least 1 as long as there is room.
    ///
    /// - Parameter wanting: Which lanes take part, in the order of `lanes`.
    package func shares(of room: Int, wanting: [Bool]) -> [Int] {
        let total = zip(lanes, wanting).reduce(0) { $0 + ($1.1 ? $1.0.weight : 0) }
        guard total > 0, room > 0 else { return lanes.map { _ in 0 } }
        var left = room
        return zip(lanes, wanting).map { lane, isWanting in
            guard isWanting, left > 0 else { return 0 }
            let share = min(left, max(1, room * lane.weight / total))
            left -= share
            return share
        }
    }
}
