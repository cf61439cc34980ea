import APNSModel
import Foundation

/// The latencies of a load run as an SVG chart. The x axis shows percentiles on a logarithmic scale: each mark leaves a
/// tenth of the notifications that the mark before left. The y axis shows milliseconds.
package struct LatencyChart: Sendable {
    private let summary: LoadSummary

    package init(_ summary: LoadSummary) { self.summary = summary }

    private static let width = 760.0
    private static let height = 420.0
    private static let left = 80.0
    private static let right = 730.0
    private static let top = 80.0
    private static let bottom = 360.0

    package var svg: String {
        let curve = summary.record.latencies.curve
        let nines = LatencyChart.nines(for: summary.record.latencies.count)
        let ceiling = LatencyChart.ceiling(above: summary.record.latencies.maximum.inMilliseconds)
        let points = curve.map { step in
            let position = min(LatencyChart.position(of: step.percentile), Double(nines))
            return LatencyChart.point(position / Double(nines), step.latency.inMilliseconds / ceiling)
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(LatencyChart.width.text(places: 0)) \
            \(LatencyChart.height.text(places: 0))" font-family="sans-serif" font-size="12">
            <rect width="100%" height="100%" fill="white"/>
            <text x="80" y="30" font-size="16">Latency by percentile: \(LatencyChart.escaped(summary.gateway))</text>
            <text x="80" y="52" fill="#555">\(LatencyChart.escaped(subtitle))</text>
            \(grid(nines: nines, ceiling: ceiling))
            <polyline fill="none" stroke="#0a64c8" stroke-width="2" points="\(points.joined(separator: " "))"/>
            </svg>

            """
    }

    private var subtitle: String {
        "\(summary.settingsText); reached \(summary.rate.rateText) a second at "
            + "\(summary.cpuMicroseconds.text(places: 2)) µs of CPU each"
    }

    private func grid(nines: Int, ceiling: Double) -> String {
        var lines: [String] = []
        for step in 0...4 {
            let y = LatencyChart.bottom - (LatencyChart.bottom - LatencyChart.top) * Double(step) / 4
            let value = (ceiling * Double(step) / 4).text(places: ceiling < 4 ? 3 : 1)
            lines.append(line(LatencyChart.left, y, LatencyChart.right, y))
            lines.append(label(LatencyChart.left - 8, y + 4, "end", "\(value) ms"))
        }
        for step in 0...nines {
            let x = LatencyChart.left + (LatencyChart.right - LatencyChart.left) * Double(step) / Double(nines)
            lines.append(line(x, LatencyChart.top, x, LatencyChart.bottom))
            lines.append(label(x, LatencyChart.bottom + 20, "middle", LatencyChart.name(ofMark: step)))
        }
        lines.append(
            label((LatencyChart.left + LatencyChart.right) / 2, LatencyChart.bottom + 44, "middle", "percentile"))
        return lines.joined(separator: "\n")
    }

    private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
        """
        <line x1="\(x1.text(places: 1))" y1="\(y1.text(places: 1))" x2="\(x2.text(places: 1))" \
        y2="\(y2.text(places: 1))" stroke="#ddd"/>
        """
    }

    private func label(_ x: Double, _ y: Double, _ anchor: String, _ text: String) -> String {
        """
        <text x="\(x.text(places: 1))" y="\(y.text(places: 1))" text-anchor="\(anchor)" fill="#333">\
        \(LatencyChart.escaped(text))</text>
        """
    }

    // MARK: Scales

    /// The position of a percentile in marks: 0 for 0, 1 for 90, 2 for 99, and so on; infinite for 100.
    static func position(of percentile: Double) -> Double {
        percentile < 100 ? -log10(1 - percentile / 100) : .infinity
    }

    /// `0%`, `90%`, `99%`, `99.9%`, …
    static func name(ofMark step: Int) -> String {
        switch step {
        case 0: "0%"
        case 1: "90%"
        case 2: "99%"
        default: "99." + String(repeating: "9", count: step - 2) + "%"
        }
    }

    /// How many marks to show for `count` latencies: a thousand are enough for 99.9 per cent.
    static func nines(for count: Int) -> Int { max(1, String(count).count - 1) }

    /// The smallest of 1, 2, 5, 10, 20, 50, … that is at least `value`.
    static func ceiling(above value: Double) -> Double {
        var scale = 0.001
        while scale < value {
            for step in [1.0, 2.0, 5.0] where scale * step >= value { return scale * step }
            scale *= 10
        }
        return scale
    }

    private static func point(_ across: Double, _ up: Double) -> String {
        let x = left + (right - left) * min(across, 1)
        let y = bottom - (bottom - top) * min(up, 1)
        return "\(x.text(places: 1)),\(y.text(places: 1))"
    }

    static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: String(character)
            }
        }.joined()
    }
}
