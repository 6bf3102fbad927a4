// The material point method (Sulsky, Chen and Schreyer, 1994): particles carry mass, velocity and stress through a grid
// on which the forces between them are found. Explicit; the stress is updated from the momentum of the particles
// themselves, not from that of the accelerated grid: "update stress first", which keeps the energy (Bardenhagen, 2002).
#pragma once

namespace whorl::sim::kernels {

/// The four nodes around a point of a grid of unit cells, with the value and slopes of each node's tent function there.
struct Corners {
    Corners(double x, double y, int columns) {
        const int column = static_cast<int>(x);
        const int row = static_cast<int>(y);
        const double right = x - column;
        const double top = y - row;
        for (int k = 0; k < 4; ++k) {
            const bool isRight = k % 2 == 1;
            const bool isTop = k / 2 == 1;
            const double alongX = isRight ? right : 1 - right;
            const double alongY = isTop ? top : 1 - top;
            node[k] = (row + k / 2) * columns + column + k % 2;
            weight[k] = alongX * alongY;
            slopeX[k] = isRight ? alongY : -alongY;
            slopeY[k] = isTop ? alongX : -alongX;
        }
    }

    int node[4];
    double weight[4];
    double slopeX[4];
    double slopeY[4];
};

// listing
void clearGrid(auto& grid) {
    for (int i = 0; i < grid.nodes; ++i) {
        grid.nodeMass(i) = 0;
        grid.momentum(i, 0) = 0;
        grid.momentum(i, 1) = 0;
        grid.force(i, 0) = 0;
        grid.force(i, 1) = 0;
    }
}

// Momentum is mass times velocity; the positions tell which nodes get it.
void momentumToGrid(auto& body, auto& grid) {
    for (int p = 0; p < body.particles; ++p) {
        const double m = body.mass(p);
        const double px = m * body.velocity(p, 0);
        const double py = m * body.velocity(p, 1);
        const Corners at{body.position(p, 0), body.position(p, 1), grid.columns};
        for (int k = 0; k < 4; ++k) {
            const int i = at.node[k];
            grid.nodeMass(i) += at.weight[k] * m;
            grid.momentum(i, 0) += at.weight[k] * px;
            grid.momentum(i, 1) += at.weight[k] * py;
        }
    }
}

void forcesToGrid(auto& body, auto& grid) {
    for (int p = 0; p < body.particles; ++p) {
        const double volume = body.mass(p) / body.model(p, 2);
        const double xx = volume * body.stress(p, 0);
        const double yy = volume * body.stress(p, 1);
        const double xy = volume * body.stress(p, 2);
        const Corners at{body.position(p, 0), body.position(p, 1), grid.columns};
        for (int k = 0; k < 4; ++k) {
            const int i = at.node[k];
            grid.force(i, 0) += -xx * at.slopeX[k] - xy * at.slopeY[k];
            grid.force(i, 1) += -xy * at.slopeX[k] - yy * at.slopeY[k];
        }
    }
}

void moveGrid(auto& grid, double dt) {
    for (int i = 0; i < grid.nodes; ++i) {
        grid.momentum(i, 0) += dt * grid.force(i, 0);
        grid.momentum(i, 1) += dt * grid.force(i, 1);
    }
}

void moveBody(auto& body, auto& grid, double dt) {
    for (int p = 0; p < body.particles; ++p) {
        const Corners at{body.position(p, 0), body.position(p, 1), grid.columns};
        double vx = 0, vy = 0, ax = 0, ay = 0;
        for (int k = 0; k < 4; ++k) {
            const int i = at.node[k];
            const double m = grid.nodeMass(i);
            if (m == 0) continue;
            const double share = at.weight[k] / m;
            vx += share * grid.momentum(i, 0);
            vy += share * grid.momentum(i, 1);
            ax += share * grid.force(i, 0);
            ay += share * grid.force(i, 1);
        }
        body.velocity(p, 0) += dt * ax;
        body.velocity(p, 1) += dt * ay;
        body.position(p, 0) += dt * vx;
        body.position(p, 1) += dt * vy;
    }
}

// The grid stretches and shears a particle, whose model tells the stress of that.
void updateStress(auto& body, auto& grid, double dt) {
    for (int p = 0; p < body.particles; ++p) {
        const Corners at{body.position(p, 0), body.position(p, 1), grid.columns};
        double xx = 0, yy = 0, xy = 0;
        for (int k = 0; k < 4; ++k) {
            const int i = at.node[k];
            const double m = grid.nodeMass(i);
            if (m == 0) continue;
            const double vx = grid.momentum(i, 0) / m;
            const double vy = grid.momentum(i, 1) / m;
            xx += dt * at.slopeX[k] * vx;
            yy += dt * at.slopeY[k] * vy;
            xy += dt * (at.slopeY[k] * vx + at.slopeX[k] * vy);
        }
        const double spread = body.model(p, 0) * (xx + yy);
        const double shear = body.model(p, 1);
        body.stress(p, 0) += spread + 2 * shear * xx;
        body.stress(p, 1) += spread + 2 * shear * yy;
        body.stress(p, 2) += shear * xy;
    }
}

void materialPoints(auto& body, auto& grid, double dt, int steps) {
    momentumToGrid(body, grid);
    for (int step = 0; step < steps; ++step) {
        forcesToGrid(body, grid);
        moveGrid(grid, dt);
        moveBody(body, grid, dt);
        clearGrid(grid);
        momentumToGrid(body, grid);
        updateStress(body, grid, dt);
    }
}
// end

}  // namespace whorl::sim::kernels
