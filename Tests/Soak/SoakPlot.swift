import Foundation
import TestSupport

/// Draws a curve as SVG: memory, threads and descriptors, each over time.
struct SoakPlot {
    let curve: SoakCurve
    let title: String

    private static let (width, height, margin) = (900.0, 180.0, 60.0)

    var svg: String {
        let panels = [
            panel(0, "RSS, MB", "#1f6f8b", \.megabytes), panel(1, "threads", "#b5651d") { Double($0.threads) },
            panel(2, "descriptors", "#4b7f52") { Double($0.descriptors) },
        ]
        let size = (Self.width + 2 * Self.margin, 3 * (Self.height + Self.margin) + Self.margin)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(size.0)" height="\(size.1)" font-family="sans-serif" font-size="12">
            <rect width="100%" height="100%" fill="white"/>
            <text x="\(Self.margin)" y="24" font-size="11">\(title)</text>
            \(panels.joined(separator: "\n"))
            </svg>

            """
    }

    private func panel(_ row: Int, _ name: String, _ colour: String, _ value: (ProcessSize) -> Double) -> String {
        let values = curve.samples.map { value($0.size) }
        let end = max(curve.samples.last?.time ?? 1, 1e-3)
        let top = max((values.max() ?? 1) * 1.1, 1)
        let base = Double(row) * (Self.height + Self.margin) + Self.margin
        func x(_ time: Double) -> Double { Self.margin + time / end * Self.width }
        func y(_ value: Double) -> Double { base + Self.height * (1 - value / top) }
        let points = zip(curve.samples, values).map { String(format: "%.1f,%.1f", x($0.time), y($1)) }
        let lines = stride(from: 0, through: top, by: top / 4).map { level in
            """
            <line x1="\(Self.margin)" x2="\(Self.margin + Self.width)" y1="\(y(level))" y2="\(y(level))" stroke="#ddd"/>
            <text x="\(Self.margin - 6)" y="\(y(level) + 4)" text-anchor="end">\(Int(level.rounded()))</text>
            """
        }
        let hours = stride(from: 0, through: 10, by: 1).map { tenth in
            let time = end * Double(tenth) / 10
            return
                "<text x=\"\(x(time))\" y=\"\(base + Self.height + 16)\" text-anchor=\"middle\">\(Int(time)) s</text>"
        }
        return """
            \(lines.joined(separator: "\n"))
            <line x1="\(x(end / 10))" x2="\(x(end / 10))" y1="\(base)" y2="\(base + Self.height)" stroke="#999" stroke-dasharray="4"/>
            <polyline fill="none" stroke="\(colour)" stroke-width="1.5" points="\(points.joined(separator: " "))"/>
            <text x="\(Self.margin)" y="\(base - 8)">\(name)</text>
            \(hours.joined(separator: "\n"))
            """
    }
}
